import Testing
import TestSupport

/// `get URL --format header`, read by curl itself.
@Suite(.serialized) struct GetTests {
    @Test func headerIsForCurl() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        try world.configure(sandbox, hosts: [sandbox.issuer: [:]])
        let login = try world.run("mojoauth-credential", ["login"])
        #expect(login.exitCode == 0, "\(login)")
        let address = "\(sandbox.issuer)/oauth/userinfo"
        func ask(_ header: String) throws -> Outcome {
            try world.run(
                "sh", ["-c", "\(header) | curl --silent --noproxy '*' --write-out ' %{http_code}' -H @- '\(address)'"])
        }
        let answer = try ask("mojoauth-credential get '\(sandbox.issuer)' --format header")
        #expect(answer.text.contains("alice@example.com") && answer.text.hasSuffix(" 200"), "\(answer)")
        // Without it the address is closed.
        let closed = try ask("true")
        #expect(!closed.text.contains("alice") && closed.text.hasSuffix(" 401"), "\(closed)")
    }

    @Test func headerIsOneLineAndAlone() throws {
        let signedIn = try SignedIn()
        let outcome = try signedIn.world.run("mojoauth-credential", ["get", SignedIn.host, "--format", "header"])
        #expect(outcome.text == "Authorization: Bearer \(try signedIn.token())\n" && outcome.errors.isEmpty)
    }

    @Test(arguments: [
        (["get", "https://other.example.com", "--format", "header"], 78, "configure host https://other.example.com"),
        (["get", "http://git.example.com", "--format", "header"], 78, "configure host"),
        (["get", "https://git.example.com", "--format", "curl"], 64, "none of token, git, json, header"),
        (["get", "git.example.com", "--format", "header"], 64, "is not an http(s) URL"),
        (["get", "https://git.example.com", "--format"], 64, "format"),
    ])
    func noHeaderWithoutAToken(_ words: [String], _ exitCode: Int32, _ says: String) throws {
        let outcome = try SignedIn().world.run("mojoauth-credential", words)
        #expect(outcome.exitCode == exitCode && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains(says), "\(outcome)")
    }
}
