import Testing
import TestSupport

/// Hosts that no entry names: a plain keyring store, which other programs read and write as well.
@Suite struct ForeignHostTests {
    private static let host = "https://code.example.org"

    @Test func whatGitStoresIsSeenBySecretTool() throws {
        let world = try World()
        let stored = try world.gitCredential("store", Self.host, ["username": "bob", "password": "p w=é"])
        #expect(stored.exitCode == 0 && stored.output.isEmpty && stored.errors.isEmpty, "\(stored)")
        let attributes = ["protocol": "https", "server": "code.example.org", "user": "bob"]
        #expect(try world.secret(attributes) == "p w=é")
        let item = try #require(try world.items(attributes).first)
        #expect(try world.attributes(ofItem: item)["xdg:schema"] == "org.gnome.keyring.NetworkPassword")
        #expect(try world.attributes(ofItem: item)["port"] == nil)
    }

    /// A label is for people to read: what hides or turns text around is not in it. The attributes are as they came.
    @Test func aLabelHoldsNothingThatDeceives() throws {
        let world = try World()
        let server = "code.example.org\u{202E}moc.live"
        let request = "{\"ServerURL\":\"\(server)\",\"Username\":\"bob\",\"Secret\":\"p\"}"
        let stored = try world.run("docker-credential-mojoauth", ["store"], input: request)
        #expect(stored.exitCode == 0, "\(stored)")
        let item = try #require(try world.items(["docker_cli": "1", "server": server]).first)
        #expect(try world.label(ofItem: item).contains("code.example.org\u{FFFD}moc.live"))
    }

    @Test func whatSecretToolStoresIsAnsweredToGit() throws {
        let world = try World()
        try world.storeSecret(
            "hunter2", label: "by hand",
            attributes: [
                "xdg:schema": "org.git.Password", "protocol": "https", "server": "code.example.org", "port": "8443",
                "user": "bob",
            ])
        let outcome = try world.gitCredential("get", Self.host + ":8443")
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
        #expect(outcome.attributes["username"] == "bob")
        #expect(outcome.attributes["password"] == "hunter2")
        for other in [Self.host, "http://code.example.org:8443", "https://code.example.com:8443"] {
            let miss = try world.gitCredential("get", other)
            #expect(miss.exitCode == 0 && miss.output.isEmpty && miss.errors.isEmpty, "\(other): \(miss)")
        }
    }

    @Test func eraseForgetsOnlyWhatWasRefused() throws {
        let world = try World()
        try world.gitCredential("store", Self.host, ["username": "bob", "password": "one"])
        try world.gitCredential("store", Self.host, ["username": "eve", "password": "two"])
        try world.gitCredential("erase", Self.host, ["username": "bob", "password": "newer"])
        #expect(try world.gitCredential("get", Self.host, ["username": "bob"]).attributes["password"] == "one")
        try world.gitCredential("erase", Self.host, ["username": "bob", "password": "one"])
        #expect(try world.gitCredential("get", Self.host, ["username": "bob"]).output.isEmpty)
        #expect(try world.gitCredential("get", Self.host, ["username": "eve"]).attributes["password"] == "two")
    }

    @Test func dockerRoundTripIsSeenBySecretTool() throws {
        let world = try World()
        let object = #"{"ServerURL":"registry.example.org","Username":"bob","Secret":"s3cret"}"#
        let stored = try world.dockerCredential("store", object)
        #expect(stored.exitCode == 0 && stored.output.isEmpty && stored.errors.isEmpty, "\(stored)")
        let attributes = ["docker_cli": "1", "server": "registry.example.org", "username": "bob"]
        #expect(try world.secret(attributes) == "s3cret")
        let item = try #require(try world.items(attributes).first)
        #expect(try world.attributes(ofItem: item)["xdg:schema"] == "io.docker.Credentials")
        #expect(try world.attributes(ofItem: item)["label"] == "Docker Credentials")

        #expect(try world.dockerCredential("get", "registry.example.org").text == object + "\n")
        #expect(try world.dockerCredential("list", "unused").text == "{\"registry.example.org\":\"bob\"}\n")
        #expect(try world.dockerCredential("erase", "registry.example.org").exitCode == 0)
        #expect(try world.secret(attributes) == nil)
        let miss = try world.dockerCredential("get", "registry.example.org")
        #expect(miss.exitCode == 1)
        #expect(miss.text.trimmingSuffix("\n") == "credentials not found in native keychain")
    }

    @Test func whatSecretToolStoresIsAnsweredToDocker() throws {
        let world = try World()
        try world.storeSecret(
            "s3cret", label: "registry.example.org",
            attributes: [
                "xdg:schema": "io.docker.Credentials", "label": "Docker Credentials", "docker_cli": "1",
                "server": "https://registry.example.org", "username": "bob",
            ])
        let outcome = try world.dockerCredential("get", "registry.example.org")
        #expect(
            outcome.text == #"{"ServerURL":"registry.example.org","Username":"bob","Secret":"s3cret"}"# + "\n",
            "\(outcome)")
    }

    @Test func gitWorksWithAServerOfOthers() throws {
        let world = try World()
        try world.useHelperForGit()
        let server = try GitServer(foreignIn: world)
        let url = try server.makeRepository("theirs")
        #expect(try world.clone(url, into: "refused").exitCode == 128)
        // git stores what worked: the next clone needs no password in the URL.
        let withPassword = url.replacing(
            "http://", with: "http://\(ForeignAccount.user):\(ForeignAccount.password)@")
        #expect(try world.clone(withPassword, into: "one").exitCode == 0)
        let outcome = try world.clone(url, into: "two")
        #expect(outcome.exitCode == 0, "\(outcome)")
        let pushed = try world.push(from: "two", file: "NEWS")
        #expect(pushed.exitCode == 0, "\(pushed)")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
