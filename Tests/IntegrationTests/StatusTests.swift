import Foundation
import Testing
import TestSupport

/// `status` and the bare command: how things stand, in words and as JSON, without asking anybody.
@Suite(.serialized) struct StatusTests {
    private func json(_ outcome: Outcome) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any], "\(outcome)")
    }

    @Test func tellsALogin() throws {
        let signedIn = try SignedIn()
        let outcome = try signedIn.world.run("mojoauth-credential", ["status"])
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
        for words in [
            "profile:       default\n", "issuer:        \(signedIn.sandbox.issuer)\n", "<alice@example.com>",
            "signed in:",
            "(in ", "good until ", "refresh token: yes\n", "stored in:     keyring \"Login\" (unlocked)\n",
            "hosts:         \(SignedIn.host)\n",
        ] {
            #expect(outcome.text.contains(words), "\(words) is not in: \(outcome)")
        }
        let told = try json(try signedIn.world.run("mojoauth-credential", ["status", "--json"]))
        #expect(told["logged_in"] as? Bool == true && told["email"] as? String == "alice@example.com")
        #expect(told["hosts"] as? [String] == [SignedIn.host])
        let keyring = try #require(told["keyring"] as? [String: Any])
        #expect(keyring["collection"] as? String == "Login" && keyring["locked"] as? Bool == false)
        #expect(keyring["ephemeral"] as? Bool == false)
    }

    @Test func tellsALoginInMemory() throws {
        let signedIn = try SignedIn(profile: ["ephemeral": "true"])
        let outcome = try signedIn.world.run("mojoauth-credential", ["status"])
        #expect(outcome.exitCode == 0 && outcome.text.contains("until the desktop session ends"), "\(outcome)")
    }

    @Test func tellsThatTheKeyringIsLocked() throws {
        let signedIn = try SignedIn()
        try signedIn.world.lockKeyring()
        let outcome = try signedIn.world.run("mojoauth-credential", ["status"], environment: ["DISPLAY": ":9"])
        #expect(outcome.exitCode == 69, "\(outcome)")
        #expect(outcome.text.contains("login:     there is one, and the keyring is locked\n"), "\(outcome)")
        #expect(outcome.text.contains("stored in: keyring \"Login\" (locked)\n"), "\(outcome)")
        #expect(outcome.errors.contains("hint: unlock the keyring with 'mojoauth-credential unlock'"), "\(outcome)")
        // Nobody was asked, although there is a desktop: a prompt would have been waited for.
        #expect(outcome.seconds < 20)
        let told = try json(try signedIn.world.run("mojoauth-credential", ["status", "--json"]))
        #expect(told["logged_in"] is NSNull && (told["keyring"] as? [String: Any])?["locked"] as? Bool == true)
    }

    @Test func tellsThatNobodyIsSignedIn() throws {
        let world = try World()
        try world.configure(issuer: "http://127.0.0.1:9", clientID: "mojoauth-cli")
        let outcome = try world.run("mojoauth-credential", ["status"])
        #expect(outcome.exitCode == 77 && outcome.text.contains("login:   none\n"), "\(outcome)")
        #expect(!outcome.text.contains("stored in"))
    }

    // MARK: The bare command

    private func expectAdvice(
        _ world: World, standing: String, next: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try world.run("mojoauth-credential", [])
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
        let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 5 && lines.last == "", "\(outcome)", sourceLocation: sourceLocation)
        guard lines.count == 5 else { return }
        #expect(lines[1].contains(standing), "\(outcome)", sourceLocation: sourceLocation)
        #expect(lines[2].hasPrefix("Next: \(next)"), "\(outcome)", sourceLocation: sourceLocation)
        #expect(lines[3] == "All commands: mojoauth-credential help", sourceLocation: sourceLocation)
    }

    @Test func advisesAtEachStep() throws {
        let world = try World()
        try expectAdvice(world, standing: "no profile yet", next: "mojoauth-credential configure profile")
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        try world.configure(sandbox)
        try expectAdvice(world, standing: "nobody is signed in", next: "mojoauth-credential login")
        let login = try world.run("mojoauth-credential", ["login"])
        #expect(login.exitCode == 0, "\(login)")
        try expectAdvice(
            world, standing: "alice@example.com", next: "mojoauth-credential configure git https://HOST")
        try world.configure(sandbox, hosts: [SignedIn.host: [:]])
        try expectAdvice(world, standing: "the token goes to \(SignedIn.host)", next: "use git, docker")
    }

    @Test func advisesWhenSomethingIsBroken() throws {
        let world = try World(.noBus)
        try world.configure(issuer: "http://127.0.0.1:9", clientID: "mojoauth-cli")
        try expectAdvice(world, standing: "no session bus", next: "the keyring is reached over the session bus")
    }

    @Test(arguments: [
        (["statsu"], "did you mean \"status\"?"), (["status", "--jsno"], "did you mean \"--json\"?"),
        (["configure", "dokcer"], "did you mean \"docker\"?"), (["login", "--frobnicate"], "login --help"),
        (["frobnicate"], "mojoauth-credential help"),
    ])
    func unknownWords(_ arguments: [String], _ hint: String) throws {
        let outcome = try World(.noBus).run("mojoauth-credential", arguments)
        #expect(outcome.exitCode == 64 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains("hint: ") && outcome.errors.contains(hint), "\(outcome)")
    }
}
