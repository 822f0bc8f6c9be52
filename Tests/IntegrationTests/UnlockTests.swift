import Testing
import TestSupport

/// `unlock` on a real gnome-keyring, with a person at a terminal.
@Suite(.serialized) struct UnlockTests {
    private static let question = "Password of the keyring \"Login\": "

    /// A keyring that was made before, read from disk and still locked, as after a login over SSH.
    private func lockedWorld() throws -> World {
        let world = try World()
        try world.storeSecret("kept", label: "kept", attributes: ["which": "kept"])
        world.keyring?.kill()
        try world.startKeyring(password: "another one")
        return world
    }

    private func start(_ world: World) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal()
        #expect(terminal.echoes)
        try terminal.start(world, "mojoauth-credential", ["unlock"])
        try terminal.wait(for: Self.question)
        #expect(!terminal.echoes)
        return terminal
    }

    private func isUnlocked(_ world: World) throws -> Bool { try world.secret(["which": "kept"]) == "kept" }

    @Test func unlocksWithThePassword() throws {
        let world = try lockedWorld()
        #expect(try !isUnlocked(world))
        let terminal = try start(world)
        terminal.type(KeyringDaemon.password + "\n")
        #expect(try terminal.finish() == 0, "\(terminal.text)")
        #expect(terminal.text.contains("unlocked the keyring \"Login\"") && terminal.echoes)
        #expect(!terminal.text.contains(KeyringDaemon.password))
        #expect(try isUnlocked(world))
    }

    @Test func unlocksAKeyringThatWasLockedMeanwhile() throws {
        let world = try World()
        try world.storeSecret("kept", label: "kept", attributes: ["which": "kept"])
        try world.lockKeyring()
        let terminal = try start(world)
        terminal.type(KeyringDaemon.password + "\n")
        #expect(try terminal.finish() == 0, "\(terminal.text)")
        #expect(try isUnlocked(world))
    }

    @Test(arguments: ["wrong horse", "", "korrekt Pferd \u{1F40E}"]) func refusesAnotherPassword(_ typed: String) throws
    {
        let world = try lockedWorld()
        let terminal = try start(world)
        terminal.type(typed + "\n")
        #expect(try terminal.finish() == 69, "\(terminal.text)")
        #expect(terminal.text.contains("error: this is not the password of the keyring \"Login\""), "\(terminal.text)")
        #expect(terminal.echoes)
        #expect(try !isUnlocked(world))
    }

    @Test(arguments: ["\u{3}", "correct\u{3}", "\u{4}"]) func canBeLeft(_ typed: String) throws {
        let world = try lockedWorld()
        let terminal = try start(world)
        terminal.type(typed)
        #expect(try terminal.finish() == 130, "\(terminal.text)")
        #expect(terminal.echoes && !terminal.text.contains("correct"), "\(terminal.text)")
        #expect(try !isUnlocked(world))
    }

    /// They would leave a terminal that shows nothing that is typed.
    @Test func neitherQuitsNorStopsInBetween() throws {
        let world = try lockedWorld()
        let terminal = try start(world)
        terminal.type("\u{1C}\u{1A}\u{3}")
        #expect(try terminal.finish() == 130, "\(terminal.text)")
        #expect(terminal.echoes)
    }

    @Test func needsATerminal() throws {
        let outcome = try lockedWorld().run("mojoauth-credential", ["unlock"], input: KeyringDaemon.password + "\n")
        #expect(outcome.exitCode == 64 && outcome.errors.contains("no terminal"), "\(outcome)")
        #expect(outcome.errors.contains("hint: run it in a terminal; over SSH with 'ssh -t'"), "\(outcome)")
    }

    @Test func saysThatItIsUnlockedAlready() throws {
        let outcome = try World().run("mojoauth-credential", ["unlock"])
        #expect(outcome.exitCode == 0 && outcome.errors.contains("is unlocked already"), "\(outcome)")
    }

    @Test func saysThatThereIsNoDefaultKeyring() throws {
        let world = try World(.noService)
        // No password on its standard input: nothing is made and nothing is unlocked.
        try world.startEmptyKeyring()
        let outcome = try world.run("mojoauth-credential", ["unlock"])
        #expect(outcome.exitCode == 69 && outcome.errors.contains("no default collection"), "\(outcome)")
    }

    /// Nobody types a password that could not be used.
    @Test func saysThatAnotherKeyringTakesNoPassword() throws {
        let world = try World(.noService)
        try world.keep(OtherSecretService(in: world))
        let terminal = try PseudoTerminal(columns: 200)
        try terminal.start(world, "mojoauth-credential", ["unlock"])
        #expect(try terminal.finish() == 69, "\(terminal.text)")
        #expect(terminal.text.contains("error: this keyring takes no password from a terminal"), "\(terminal.text)")
        #expect(terminal.text.contains("hint: unlock it in its own window"))
        let doctor = try world.run("mojoauth-credential", ["doctor"])
        #expect(doctor.text.contains("Secret Service: python3"), "\(doctor)")
        #expect(doctor.text.contains("default collection: \"Vault\" is locked"), "\(doctor)")
    }

    @Test func needsAKeyring() throws {
        let bus = try World(.noBus).run("mojoauth-credential", ["unlock"])
        #expect(bus.exitCode == 69 && bus.errors.contains("no session bus"), "\(bus)")
        let service = try World(.noService).run("mojoauth-credential", ["unlock"])
        #expect(service.exitCode == 69 && service.errors.contains("no Secret Service"), "\(service)")
    }
}
