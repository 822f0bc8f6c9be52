import Testing
import TestSupport

/// The servers of others that the suites run against, before any program of ours has a part in it.
@Suite struct ServerTests {
    @Test func foreignGitServerAsksForItsPassword() throws {
        let world = try World(.noBus, programs: false)
        let server = try GitServer(foreignIn: world)
        let url = try server.makeRepository("private")
        #expect(try world.run(.git, ["clone", url, world.scratch.path("refused")]).exitCode == 128)
        let withPassword = url.replacing("http://", with: "http://\(ForeignAccount.user):\(ForeignAccount.password)@")
        let outcome = try world.run(.git, ["clone", withPassword, world.scratch.path("clone")])
        #expect(outcome.exitCode == 0, "\(outcome)\n\(server.log)")
        #expect(try world.scratch.read("clone/README") == "hello\n")
        #expect(server.users.contains(ForeignAccount.user))
    }

    @Test func foreignRegistryAsksForItsPassword() throws {
        let world = try World(.noBus, programs: false)
        let registry = try DockerRegistry(foreignIn: world)
        #expect(try world.http("GET", "http://\(registry.server)/v2/").status == 401)
        #expect(
            try world.http("GET", "http://\(ForeignAccount.user):\(ForeignAccount.password)@\(registry.server)/v2/")
                .status == 200)
    }

    @Test func tokenServersOfferWhatTheirClientsCanAnswer() throws {
        let world = try World(.noBus, programs: false)
        let registry = try DockerRegistry(in: world, keySet: "http://127.0.0.1:9/jwks")
        let refusal = try world.http("GET", "http://\(registry.server)/v2/")
        #expect(refusal.status == 401)
        #expect(refusal.headers["www-authenticate"] == #"Basic realm="registry""#)
        let git = try GitServer(in: world, keySet: "http://127.0.0.1:9/jwks")
        let challenge = try world.http("GET", git.makeRepository("private") + "/info/refs?service=git-upload-pack")
        #expect(challenge.status == 401)
        #expect(challenge.headers["www-authenticate"]?.contains("Basic realm") == true, "\(challenge)")
    }

    @Test func chromiumTypesClicksAndReads() throws {
        let world = try World(.noBus, programs: false)
        let browser = try Chromium(in: world)
        try browser.open(
            "data:text/html,<title>probe</title><input id=name><button onclick='out.textContent=document.getElementById(\"name\").value'>go</button><p id=out>"
        )
        #expect(try browser.title() == "probe")
        try browser.type("alice", into: "#name")
        try browser.click("button")
        try browser.waitForText("alice")
        #expect(try browser.text("#out") == "alice")
    }

    @Test func skopeoPushesTheSmallestImageAndDockerReadsIt() throws {
        let world = try World(.noBus, programs: false)
        let registry = try DockerRegistry(foreignIn: world)
        let image = "\(registry.server)/hello:latest"
        try world.pushImage(to: image, credential: "\(ForeignAccount.user):\(ForeignAccount.password)")
        // Base64 of user and password. With a credential in the file docker looks for no store of its own.
        try world.useHelperForDocker(#"{"auths":{"\#(registry.server)":{"auth":"YWxpY2U6d29uZGVybGFuZA=="}}}"#)
        let outcome = try world.run(.docker, ["manifest", "inspect", "--insecure", image])
        #expect(outcome.exitCode == 0, "\(outcome)\n\(registry.log)")
    }
}
