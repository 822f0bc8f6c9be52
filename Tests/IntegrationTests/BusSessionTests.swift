import Foundation
import Testing
import TestSupport

/// `[defaults] bus-session=plain`: what a helper reads crosses the session bus as it is, and nothing else changes.
@Suite(.serialized) struct BusSessionTests {
    private static let foreign = "https://code.example.org"

    /// What `get` of a host of ours and of another's answers, and the list of docker's.
    private func answers(_ world: World) throws -> [Outcome] {
        [
            try world.gitCredential("get", SignedIn.host), try world.gitCredential("get", Self.foreign),
            try world.dockerCredential("get", "git.example.com"), try world.dockerCredential("list", ""),
        ]
    }

    private func expectTheSame(
        in world: World, sourceLocation: SourceLocation = #_sourceLocation, _ prepare: () throws -> Void = {}
    ) throws {
        var told: [[Outcome]] = []
        for session in ["encrypted", "plain"] {
            try world.choose(busSession: session)
            try prepare()
            told.append(try answers(world))
        }
        for (encrypted, plain) in zip(told[0], told[1]) {
            #expect(plain.exitCode == encrypted.exitCode, "\(plain)", sourceLocation: sourceLocation)
            #expect(plain.output == encrypted.output, "\(plain)", sourceLocation: sourceLocation)
            #expect(plain.errors == encrypted.errors, "\(plain)", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: ["encrypted", "plain"]) func whatIsReadCrossesTheBus(_ session: String) throws {
        let signedIn = try SignedIn()
        let world = signedIn.world
        try world.choose(busSession: session)
        let monitor = try BusMonitor(in: world, .contents)
        let token = try signedIn.token()
        #expect(try monitor.text().contains(token) == (session == "plain"))
    }

    @Test func whatIsWrittenIsEncrypted() throws {
        let world = try SignedIn().world
        try world.choose(busSession: "plain")
        let monitor = try BusMonitor(in: world, .contents)
        for password in ["first-password", "second-password"] {
            let stored = try world.gitCredential("store", Self.foreign, ["username": "bob", "password": password])
            #expect(stored.exitCode == 0, "\(stored)")
        }
        #expect(try !monitor.text().contains("-password"))
        #expect(try world.gitCredential("get", Self.foreign).attributes["password"] == "second-password")
        #expect(try monitor.text().contains("second-password"))
    }

    @Test(arguments: ["gnome-keyring", "KeePassXC"]) func answersTheSame(_ service: String) throws {
        let keePassXC: (World) throws -> Void = { try $0.keep(KeePassXC(in: $0)) }
        let world = try SignedIn(service: service == "KeePassXC" ? keePassXC : nil).world
        try world.gitCredential("store", Self.foreign, ["username": "bob", "password": "p w=é"])
        try expectTheSame(in: world)
        #expect(try world.gitCredential("get", Self.foreign).attributes["password"] == "p w=é")
    }

    @Test func nothingStored() throws {
        let world = try World()
        try world.configure(issuer: "http://127.0.0.1:9", clientID: "mojoauth-cli", hosts: [SignedIn.host: [:]])
        try expectTheSame(in: world)
    }

    @Test func lockedAndNobodyToAsk() throws {
        let world = try SignedIn().world
        try world.gitCredential("store", Self.foreign, ["username": "bob", "password": "p"])
        try expectTheSame(in: world) { try world.lockKeyring() }
        #expect(try world.gitCredential("get", SignedIn.host).exitCode == 1)
    }

    @Test func lockedAndUnlockedByItsPrompt() throws {
        let world = try SignedIn().world
        try world.choose(busSession: "plain")
        world.keyring?.kill()
        let prompter = try world.keep(MockPrompter(in: world, [.password(KeyringDaemon.password)]))
        try world.startKeyring(password: "another one", prompter: prompter)
        let outcome = try world.gitCredential("get", SignedIn.host)
        #expect(outcome.attributes["password"] != nil && outcome.errors.isEmpty, "\(outcome)")
    }

    @Test(arguments: [World.Desktop.noBus, .noService]) func noKeyring(_ desktop: World.Desktop) throws {
        let world = try World(desktop)
        try world.configure(issuer: "http://127.0.0.1:9", clientID: "mojoauth-cli", hosts: [SignedIn.host: [:]])
        try expectTheSame(in: world)
    }

    @Test func stoppedDaemonCostsFiveSecondsAtMost() throws {
        let world = try SignedIn().world
        try world.choose(busSession: "plain")
        world.keyring?.freeze()
        let outcome = try world.gitCredential("get", SignedIn.host)
        world.keyring?.thaw()
        #expect(outcome.seconds < 6.5 && outcome.exitCode == 1, "\(outcome)")
        #expect(outcome.errors.contains("the keyring did not answer within 5 seconds"), "\(outcome)")
    }

    @Test func serviceThatOffersNothingElse() throws {
        let world = try World(.noService)
        world.keep(try PlainSecretService(in: world, offers: ["plain"]))
        try world.writeConfiguration("")
        try expectTheSame(in: world)
        #expect(try world.gitCredential("get", Self.foreign).attributes["password"] == "hunter2")
    }

    @Test func serviceThatOffersNoPlainSessionIsAskedForAnEncryptedOne() throws {
        let world = try World(.noService)
        let service = world.keep(try PlainSecretService(in: world, offers: []))
        try world.writeConfiguration("[defaults]\nbus-session=plain\n")
        let outcome = try world.gitCredential("get", Self.foreign)
        #expect(outcome.exitCode == 1 && outcome.output.isEmpty, "\(outcome)")
        let asked = try service.askedFor()
        #expect(asked.prefix(2) == ["plain", "dh-ietf1024-sha256-aes128-cbc-pkcs7"], "\(asked)")
    }

    @Test func doctorSaysWhatIsGivenUp() throws {
        let world = try SignedIn().world
        let subject = "secrets on the bus"
        #expect(try !world.run("mojoauth-credential", ["doctor"]).text.contains(subject))
        try world.choose(busSession: "plain")
        let told = try world.run("mojoauth-credential", ["doctor"]).text
        #expect(told.contains("warning  \(subject): not encrypted when a helper reads them"), "\(told)")
        #expect(told.contains("-> remove bus-session=plain from [defaults]"), "\(told)")
    }
}

extension World {
    /// Writes `[defaults]` with this choice, in place of one from before.
    func choose(busSession: String) throws {
        let text = try String(contentsOfFile: configurationFile, encoding: .utf8)
        let rest = text.split(separator: "[defaults]\n", maxSplits: 1, omittingEmptySubsequences: false)[0]
        try writeConfiguration("\(rest)[defaults]\nbus-session=\(busSession)\n")
    }
}
