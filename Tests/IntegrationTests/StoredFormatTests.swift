import Foundation
import Testing
import TestSupport

/// What lies in the real keyring under the key of a login: of version 1, of a later one, or damaged.
@Suite(.serialized) struct StoredFormatTests {
    private static let schema = ["xdg:schema": "com.mojoauth.Credential"]

    /// Everything that looks at a login, with its exit code for one that it must not touch.
    private static let commands: [(program: String, arguments: [String], input: String, exitCode: Int32)] = [
        ("mojoauth-credential", ["status"], "", 77),
        ("mojoauth-credential", ["get"], "", 77),
        ("mojoauth-credential", ["refresh"], "", 77),
        ("mojoauth-credential", ["refresh", "--background"], "", 77),
        ("mojoauth-credential", ["logout"], "", 77),
        ("git-credential-mojoauth", ["get"], World.gitRequest(SignedIn.host), 1),
        (
            "git-credential-mojoauth", ["erase"],
            World.gitRequest(SignedIn.host, ["username": "oauth2", "password": "x"]), 1
        ),
        ("docker-credential-mojoauth", ["get"], "git.example.com", 1),
    ]

    private func put(_ text: String, _ signedIn: SignedIn, _ options: [String] = []) throws {
        let attributes = Self.schema.merging(signedIn.attributes) { $1 }
        let words = attributes.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        let outcome = try signedIn.world.run(.secretTool, ["store", "--label", "put"] + options + words, input: text)
        #expect(outcome.exitCode == 0, "\(outcome)")
    }

    private func damaged(_ signedIn: SignedIn) -> [String: String] {
        signedIn.attributes.merging(["kind": "auth-state-damaged"]) { $1 }
    }

    /// Everybody says what is there and what to do about it, and nobody is asked to sign in, be there a desktop or not.
    private func expectRefusals(_ signedIn: SignedIn, naming words: String) throws {
        let (state, requests) = (try signedIn.state(), try signedIn.sandbox.requests().count)
        let daemon = try NotificationDaemon(in: signedIn.world, .presses)
        try expectWords(signedIn, words)
        signedIn.world.set(["DISPLAY": ":9"])
        try expectWords(signedIn, words)
        #expect(try daemon.shown().isEmpty)
        #expect(try signedIn.sandbox.requests().count == requests)
        #expect(try signedIn.state() == state)
    }

    private func expectWords(_ signedIn: SignedIn, _ words: String) throws {
        for command in Self.commands {
            let outcome = try signedIn.world.run(command.program, command.arguments, input: command.input)
            #expect(outcome.exitCode == command.exitCode, "\(command): \(outcome)")
            let said = command.program.hasPrefix("docker") ? outcome.text : outcome.errors
            #expect(said.contains(words), "\(command): \(outcome)")
            #expect(said.contains("logout --profile default --force"), "\(command): \(outcome)")
        }
    }

    /// Stored by a program of long ago; its issuer need not be there.
    @Test func loginOfVersion1IsServed() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "SessionStoreTests/Golden/version-1-signed-in.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        let world = try World()
        try world.configure(issuer: "https://acme.example", clientID: "mojoauth-cli", hosts: [SignedIn.host: [:]])
        let attributes = [
            "application": "mojoauth-credential", "kind": "auth-state", "profile": "default",
            "issuer": "https://acme.example", "client_id": "mojoauth-cli",
        ]
        try world.storeSecret(text, label: "old", attributes: Self.schema.merging(attributes) { $1 })
        let outcome = try world.gitCredential("get", SignedIn.host)
        #expect(outcome.exitCode == 0 && outcome.attributes["password"] == "access", "\(outcome)")
        #expect(try world.secret(attributes) == text)
    }

    @Test func laterVersionIsRefusedUntouched() throws {
        let signedIn = try SignedIn()
        let later = try signedIn.state().replacing(#""version":1"#, with: #""version":2,"new":["thing"]"#)
        try put(later, signedIn)
        try expectRefusals(signedIn, naming: "has format version 2, which this program does not know")
        // Nobody is sent to the browser for a login that could not be kept.
        let before = try signedIn.sandbox.requests().count
        let login = try signedIn.world.run("mojoauth-credential", ["login"])
        #expect(login.exitCode == 77 && login.errors.contains("format version 2"), "\(login)")
        #expect(try signedIn.sandbox.requests().count == before)
        #expect(try signedIn.state() == later)
        #expect(try signedIn.world.items([:]).count == 1)

        let forced = try signedIn.world.run("mojoauth-credential", ["logout", "--force"])
        #expect(forced.exitCode == 0, "\(forced)")
        #expect(try signedIn.world.items([:]).isEmpty)
        try signedIn.logIn()
        #expect(try signedIn.token().isEmpty == false)
    }

    /// The same login twice, in two collections: the good one does not open the way to the other.
    @Test func laterVersionBesideAGoodOneIsRefusedToo() throws {
        let signedIn = try SignedIn()
        let later = #"{"version":2}"#
        try put(later, signedIn, ["--collection", "session"])
        #expect(try signedIn.world.items(signedIn.attributes).count == 2)
        for command in ["login", "logout"] {
            let outcome = try signedIn.world.run("mojoauth-credential", [command])
            #expect(outcome.exitCode == 77 && outcome.errors.contains("format version 2"), "\(outcome)")
        }
        #expect(try signedIn.world.items(signedIn.attributes).count == 2)
        // The good one is good still.
        #expect(try !signedIn.sandbox.requests().contains { $0.path.hasPrefix("/oauth2/revoke") })
        #expect(try signedIn.world.run("mojoauth-credential", ["logout", "--force"]).exitCode == 0)
        #expect(try signedIn.world.items([:]).isEmpty)
    }

    @Test func damagedLoginIsKeptAsideAndTold() throws {
        let signedIn = try SignedIn()
        let first = String(try signedIn.state().dropLast(20))
        try put(first, signedIn)
        try expectRefusals(signedIn, naming: "is damaged")
        #expect(try signedIn.state() == first)
        #expect(try signedIn.world.items([:]).count == 1)

        let login = try signedIn.world.run("mojoauth-credential", ["login"])
        #expect(login.exitCode == 0, "\(login)")
        #expect(login.errors.contains("is damaged and was kept aside"), "\(login)")
        #expect(login.errors.contains("logout --profile default --force"), "\(login)")
        #expect(try signedIn.token().isEmpty == false)
        #expect(try signedIn.world.secret(damaged(signedIn)) == first)

        // Another one does not take its place, and the same one is not kept twice.
        for text in ["second", "second"] {
            try put(text, signedIn)
            #expect(try signedIn.world.run("mojoauth-credential", ["login"]).exitCode == 0)
        }
        #expect(try signedIn.world.items(damaged(signedIn)).count == 2)
        let search = try signedIn.world.run(.secretTool, ["search", "--all", "kind", "auth-state-damaged"])
        #expect(search.text.contains("secret = \(first)\n") && search.text.contains("secret = second\n"), "\(search)")

        // A login that is good again ends without them; only --force takes them as well.
        #expect(try signedIn.world.run("mojoauth-credential", ["logout"]).exitCode == 0)
        #expect(try signedIn.world.items(damaged(signedIn)).count == 2)
        #expect(try signedIn.world.run("mojoauth-credential", ["logout", "--force"]).exitCode == 0)
        #expect(try signedIn.world.items([:]).isEmpty)
    }
}
