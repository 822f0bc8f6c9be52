import Testing
import TestSupport

/// A client that must prove itself: its secret comes through standard input and lies in the keyring alone (T18).
@Suite struct ClientSecretTests {
    private static let secret = "s3cret/with+odd chars:and=more"

    @Test(arguments: ["basic", "post"]) func signsInAndRenews(_ method: String) throws {
        let world = try World()
        let file = try world.scratch.write(Self.secret, to: "client-secret", mode: 0o600)
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com", "--client-secret-file", file])
        try world.configure(sandbox, profile: ["client-auth": method])

        let without = try world.run("mojoauth-credential", ["login"])
        #expect(without.exitCode == 78 && without.errors.contains("--client-secret-stdin"), "\(without)")

        let stored = try world.run(
            "mojoauth-credential", ["configure", "profile", "--client-secret-stdin"], input: Self.secret + "\n")
        #expect(stored.exitCode == 0, "\(stored)")
        #expect(!stored.errors.contains(Self.secret) && stored.output.isEmpty)
        #expect(
            try world.secret(["application": "mojoauth-credential", "kind": "client-secret"]) == Self.secret)

        for command in ["login", "refresh"] {
            let outcome = try world.run("mojoauth-credential", [command])
            #expect(outcome.exitCode == 0, "\(outcome)")
        }
        #expect(try world.scratch.read("home/.config/mojoauth-credential/config").contains(Self.secret) == false)
    }

    @Test func aWrongSecretIsAConfigurationError() throws {
        let world = try World()
        let file = try world.scratch.write(Self.secret, to: "client-secret", mode: 0o600)
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com", "--client-secret-file", file])
        try world.configure(sandbox, profile: ["client-auth": "basic"])
        _ = try world.run(
            "mojoauth-credential", ["configure", "profile", "--client-secret-stdin"], input: "another")
        let outcome = try world.run("mojoauth-credential", ["login"])
        #expect(outcome.exitCode == 78 && outcome.errors.contains("invalid_client"), "\(outcome)")
        #expect(try world.items(["kind": "auth-state"]).isEmpty)
    }
}
