import TestSupport
import Testing

/// Callers spell one registry in many ways: it is one entry, and the answer has the caller's spelling.
@Suite(.serialized) struct DockerSpellingTests {
    struct Registry: Sendable, CustomTestStringConvertible {
        var spellings: [String]
        /// What looks alike and is another one.
        var others: [String]
        var testDescription: String { spellings[0] }
    }

    static let registries = [
        Registry(
            spellings: [
                "registry.example.org", "https://registry.example.org", "https://registry.example.org/",
                "registry.example.org/v1", "registry.example.org/v1/", "https://registry.example.org/v2/",
                "Registry.Example.ORG",
            ],
            others: [
                "registry.example.org:5000", "registry.example.com", "registry.example.org/v3/",
                "registry.example.org/team", "xregistry.example.org", "https://registry.example.org/v1/access-token",
            ]),
        Registry(
            spellings: ["127.0.0.1:5000", "http://127.0.0.1:5000", "http://127.0.0.1:5000/v2/"],
            others: ["127.0.0.1:5001", "127.0.0.1", "localhost:5000"]),
        Registry(
            spellings: [
                "https://index.docker.io/v1/", "docker.io", "index.docker.io", "registry-1.docker.io",
                "https://registry-1.docker.io/v2/", "https://docker.io",
            ],
            others: [
                "https://index.docker.io/v1/access-token", "https://index.docker.io/v1/refresh-token", "auth.docker.io",
                "hub.docker.io",
            ]),
    ]

    private func object(_ server: String, _ secret: String = "s3cret") -> String {
        #"{"ServerURL":"\#(server)","Username":"bob","Secret":"\#(secret)"}"#
    }

    @Test(arguments: registries) func isOneEntryHoweverItIsSpelled(_ registry: Registry) throws {
        let world = try World()
        for (number, spelling) in registry.spellings.enumerated() {
            #expect(try world.dockerCredential("store", object(spelling, "\(number)")).exitCode == 0)
            #expect(try world.items([:]).count == 1, "\(spelling)")
            for asked in registry.spellings {
                let outcome = try world.dockerCredential("get", asked)
                #expect(outcome.text == object(asked, "\(number)") + "\n", "\(spelling), \(asked): \(outcome)")
            }
        }
        for other in registry.others {
            let outcome = try world.dockerCredential("get", other)
            #expect(outcome.exitCode == 1 && outcome.text == "credentials not found in native keychain\n", "\(other)")
            #expect(try world.dockerCredential("erase", other).exitCode == 0)
        }
        #expect(try world.items([:]).count == 1)
        #expect(try world.dockerCredential("erase", try #require(registry.spellings.first)).exitCode == 0)
        #expect(try world.items([:]).isEmpty)
    }

    /// The same for a registry of ours: `get` gives the token, `store` of it and `erase` change nothing.
    @Test func registryOfOursIsServedHoweverItIsSpelled() throws {
        let docker = try DockerWorld(.credsStore)
        let before = try docker.state()
        let server = docker.server
        for spelling in [server, "http://\(server)", "http://\(server)/", "\(server)/v1/", "http://\(server)/v2/"] {
            let outcome = try docker.world.dockerCredential("get", spelling)
            #expect(outcome.exitCode == 0 && outcome.text.contains(#""ServerURL":"\#(spelling)""#), "\(outcome)")
            #expect(try docker.world.dockerCredential("store", outcome.text).exitCode == 0)
            #expect(try docker.world.dockerCredential("erase", spelling).exitCode == 0)
        }
        #expect(try docker.world.dockerCredential("list", "unused").text == #"{"\#(server)":"oauth2"}"# + "\n")
        for spelling in ["https://\(server)", "\(server)/v3/", "localhost"] {
            let outcome = try docker.world.dockerCredential("get", spelling)
            #expect(outcome.text == "credentials not found in native keychain\n", "\(outcome)")
        }
        #expect(try docker.state() == before)
        #expect(try docker.world.items([:]).count == 1)
    }
}
