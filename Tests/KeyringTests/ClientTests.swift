import Foundation
import Program
import Sensitive
import TestSupport
import Testing

@testable import Keyring

/// A client in this process: what no program of ours could be made to do. One at a time, since the bus is found by the
/// environment.
@Suite(.serialized) struct ClientTests {
    @Test func areFiveSecondsForACallAndTwoMinutesForAPerson() {
        #expect(SecretServiceClient.Limits.standard.call == 5)
        #expect(SecretServiceClient.Limits.standard.prompt == 120)
    }

    /// What two minutes are to a person, one and a half seconds are here.
    @Test func aPromptThatNobodyAnswersIsGivenUp() throws {
        let world = try World(.noService, programs: false)
        let prompter = try MockPrompter(in: world, [.delay(60_000), .password(KeyringDaemon.password)])
        try world.startKeyring(prompter: prompter)
        try world.storeSecret("kept", label: "kept", attributes: ["which": "kept"])
        try world.lockKeyring()
        setenv("DBUS_SESSION_BUS_ADDRESS", try #require(world.bus).address, 1)
        defer { unsetenv("DBUS_SESSION_BUS_ADDRESS") }
        let client = SecretServiceClient(limits: .init(call: 5, prompt: 1.5), allowsPrompts: { true })
        let expected = KeyringError.timedOut(seconds: 1.5, whilePrompting: true)

        let start = Clock.monotonic()
        #expect(throws: expected) { try client.searchUnlocked(["which": "kept"]) }
        let waited = Clock.monotonic() - start
        #expect(waited >= 1.5 && waited < 4, "\(waited)")

        // Nobody waits for it a second time, and nothing has become of the item.
        let again = Clock.monotonic()
        #expect(throws: expected) { try client.search(["which": "kept"]) }
        #expect(Clock.monotonic() - again < 0.2)
        #expect(try world.items(["which": "kept"]).count == 1)
    }

    /// A daemon that is another one than that which answered first is asked for its own prompt: the one that has gone would
    /// be waited for in vain.
    @Test(arguments: [SearchPurpose.looking, .reading]) func aPromptIsAskedOfWhoeverHasIt(_ purpose: SearchPurpose)
        throws
    {
        let world = try World(programs: false)
        try world.storeSecret("kept", label: "kept", attributes: ["which": "kept"])
        setenv("DBUS_SESSION_BUS_ADDRESS", try #require(world.bus).address, 1)
        defer { unsetenv("DBUS_SESSION_BUS_ADDRESS") }
        let client = SecretServiceClient(limits: .init(call: 5, prompt: 10), allowsPrompts: { true })
        let first = try #require(try client.searchUnlocked(["which": "kept"], for: purpose).first)
        #expect(try client.secret(of: first)?.text == "kept")

        world.keyring?.kill()
        let prompter = try MockPrompter(in: world, [.password(KeyringDaemon.password)])
        try world.startKeyring(prompter: prompter)
        try world.lockKeyring()
        let second = try #require(try client.searchUnlocked(["which": "kept"], for: purpose).first)
        #expect(try client.secret(of: second)?.text == "kept")
    }

    /// An address that GDBus must go through itself, since its first place is not a socket of this machine.
    @Test func aBusOfAnotherKindIsReachedByGDBus() throws {
        let world = try World(programs: false)
        try world.storeSecret("kept", label: "kept", attributes: ["which": "kept"])
        setenv("DBUS_SESSION_BUS_ADDRESS", "tcp:host=127.0.0.1,port=1;" + (try #require(world.bus).address), 1)
        defer { unsetenv("DBUS_SESSION_BUS_ADDRESS") }
        let client = SecretServiceClient(allowsPrompts: { false })
        let item = try #require(try client.search(["which": "kept"]).first)
        #expect(try client.secret(of: item)?.text == "kept")
    }

    @Test func runtimeFolderIsTheOneThatIsNamedIfItIsOurs() throws {
        let scratch = try Scratch()
        let systemd = "/run/user/\(geteuid())"
        let file = try scratch.write("", to: "file")
        #expect(SessionBus.runtimeFolder(scratch.path) == scratch.path)
        for other in [nil, "", "run", "/nonexistent", file] { #expect(SessionBus.runtimeFolder(other) == systemd) }
    }
}
