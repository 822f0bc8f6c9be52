import Foundation
import Testing
import TestSupport

/// `list`: what lies in the keyring, never a secret.
@Suite(.serialized) struct ListTests {
    /// Secrets that stand in the keyring; none may be told.
    private static let secrets = ["git-passphrase-1", "typed-credential-2", "docker-passphrase-3", "client-secret-4"]

    private func fill(_ world: World, _ sandbox: Sandbox) throws {
        let outcomes = [
            try world.gitCredential(
                "store", "https://other.example:8443", ["username": "bob", "password": Self.secrets[0]]),
            try world.gitCredential(
                "store", "https://typed.example",
                ["capability[]": "authtype", "authtype": "Bearer", "credential": Self.secrets[1]]),
            try world.dockerCredential(
                "store",
                "{\"ServerURL\":\"registry.example\",\"Username\":\"carol\",\"Secret\":\"\(Self.secrets[2])\"}"),
            try world.run(
                "mojoauth-credential", ["configure", "profile", "--client-secret-stdin"], input: Self.secrets[3]),
        ]
        for outcome in outcomes { #expect(outcome.exitCode == 0, "\(outcome)") }
        try world.storeSecret(
            "{", label: "kept aside",
            attributes: [
                "application": "mojoauth-credential", "kind": "auth-state-damaged", "profile": "default",
                "issuer": sandbox.issuer, "client_id": sandbox.clientID,
            ])
        // Another program's: not ours to tell of, though it has a protocol.
        try world.storeSecret(
            "web", label: "web", attributes: ["protocol": "https", "server": "web.example", "user": "dave"])
    }

    @Test func tellsKindHostAndUser() throws {
        let signedIn = try SignedIn()
        try fill(signedIn.world, signedIn.sandbox)
        let outcome = try signedIn.world.run("mojoauth-credential", ["list"])
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
        let login = "profile default, issuer \(signedIn.sandbox.issuer), client_id \(signedIn.sandbox.clientID)"
        let lines = [
            "login          \(login) (keyring \"Login\")", "damaged login  \(login) (keyring \"Login\")",
            "client secret  \(login) (keyring \"Login\")",
            "git            host https://typed.example (keyring \"Login\")",
            "git            host https://other.example:8443, user bob (keyring \"Login\")",
            "docker         host registry.example, user carol (keyring \"Login\")",
        ]
        #expect(outcome.text == lines.map { $0 + "\n" }.joined(), "\(outcome)")
        for secret in Self.secrets { #expect(!outcome.text.contains(secret)) }
    }

    @Test func tellsTheSameAsJSON() throws {
        let signedIn = try SignedIn()
        try fill(signedIn.world, signedIn.sandbox)
        let outcome = try signedIn.world.run("mojoauth-credential", ["list", "--json"])
        let told = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
        let items = try #require(told["items"] as? [[String: String]])
        #expect(items.map { $0["kind"] } == ["login", "damaged login", "client secret", "git", "git", "docker"])
        #expect(items.last == ["kind": "docker", "host": "registry.example", "user": "carol", "keyring": "Login"])
        #expect((told["locked"] as? [Any])?.isEmpty == true)
        for secret in Self.secrets { #expect(!outcome.text.contains(secret)) }
    }

    @Test func countsWhatIsLocked() throws {
        let signedIn = try SignedIn()
        try fill(signedIn.world, signedIn.sandbox)
        try signedIn.world.lockKeyring()
        let outcome = try signedIn.world.run("mojoauth-credential", ["list"], environment: ["DISPLAY": ":9"])
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(outcome.text.contains("login          1 item, locked (keyring \"Login\")\n"), "\(outcome)")
        #expect(outcome.text.contains("docker         1 item, locked (keyring \"Login\")\n"), "\(outcome)")
        #expect(!outcome.text.contains("carol") && !outcome.text.contains("bob"))
    }

    @Test func tellsThatThereIsNothing() throws {
        let outcome = try World().run("mojoauth-credential", ["list"])
        #expect(outcome.exitCode == 0 && outcome.text == "the keyring holds nothing of ours\n", "\(outcome)")
    }

    @Test func needsAKeyring() throws {
        let outcome = try World(.noBus).run("mojoauth-credential", ["list"])
        #expect(outcome.exitCode == 69 && outcome.errors.contains("no session bus"), "\(outcome)")
    }
}
