import Foundation
import Testing
import TestSupport

/// The table of CONTRIBUTING.md that says what a person reads when something fails: each row is provoked here.
@Suite(.serialized) struct FailureTableTests {
    /// Something that goes wrong, and the command that meets it.
    struct Situation {
        let name: String
        let provoke: () throws -> Provoked

        init(_ name: String, _ provoke: @escaping () throws -> Provoked) {
            (self.name, self.provoke) = (name, provoke)
        }
    }

    struct Provoked {
        let world: World
        let arguments: [String]
        let outcome: Outcome

        /// Runs a command of a person's; `kept` lives on until it has ended.
        init(_ world: World, _ arguments: [String], environment: [String: String?] = [:], keeping kept: Any? = nil)
            throws
        {
            self.world = world
            self.arguments = arguments
            outcome = try world.run("mojoauth-credential", arguments, environment: environment)
            withExtendedLifetime(kept) {}
        }
    }

    private static let nowhere = "http://127.0.0.1:9"

    private static func configured(_ desktop: World.Desktop, profile: [String: String] = [:]) throws -> World {
        let world = try World(desktop)
        try world.configure(issuer: nowhere, clientID: "mojoauth-cli", profile: profile)
        return world
    }

    private static func faulty(_ fault: String, _ arguments: String...) throws -> Provoked {
        let signedIn = try SignedIn()
        try signedIn.sandbox.startFault(fault)
        return try Provoked(signedIn.world, arguments, keeping: signedIn)
    }

    /// A login whose item holds this instead.
    private static func stored(_ change: (String) -> String) throws -> Provoked {
        let signedIn = try SignedIn()
        let item = ["xdg:schema": "com.mojoauth.Credential"].merging(signedIn.attributes) { $1 }
        try signedIn.world.storeSecret(change(try signedIn.state()), label: "changed", attributes: item)
        return try Provoked(signedIn.world, ["get"], keeping: signedIn)
    }

    private static func edited(_ edit: (String) throws -> Void) throws -> Provoked {
        let world = try configured(.noBus)
        try edit(world.scratch.path("home/.config/mojoauth-credential/config"))
        return try Provoked(world, ["status"])
    }

    private static var situations: [Situation] {
        [
            Situation("no configuration") { try Provoked(World(.noBus), ["status"]) },
            Situation("a profile that is not there") {
                try Provoked(configured(.noBus), ["status", "--profile", "work"])
            },
            Situation("others may write the file") { try edited { chmod($0, 0o666) } },
            Situation("a line that is none") {
                try edited { file in
                    let text = try String(contentsOfFile: file, encoding: .utf8)
                    try (text + "what\n").write(toFile: file, atomically: false, encoding: .utf8)
                }
            },
            Situation("a value out of range") {
                try Provoked(configured(.noBus, profile: ["leeway": "-1"]), ["status"])
            },
            Situation("no session bus") { try Provoked(configured(.noBus), ["get"]) },
            Situation("a bus that is gone") {
                let world = try configured(.noBus)
                world.set(["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(world.scratch.path("gone"))"])
                return try Provoked(world, ["get"])
            },
            Situation("no Secret Service") { try Provoked(configured(.noService), ["get"]) },
            Situation("a locked keyring, nobody to ask") {
                let signedIn = try SignedIn()
                try signedIn.world.lockKeyring()
                return try Provoked(signedIn.world, ["get"], keeping: signedIn)
            },
            Situation("no login") { try Provoked(configured(.unlockedKeyring), ["get"]) },
            Situation("a login that is damaged") { try stored { String($0.prefix(40)) } },
            Situation("a login of a later version") {
                try stored { $0.replacing("\"version\":1", with: "\"version\":99") }
            },
            Situation("a host that no entry names") {
                try Provoked(configured(.noBus), ["get", "https://other.example.com"])
            },
            Situation("http to another machine") {
                try Provoked(configured(.noBus), ["configure", "git", "http://git.example.com"])
            },
            Situation("nobody at the issuer's address") {
                let world = try World()
                try world.configure(issuer: "http://127.0.0.1:\(try FreePort.find())", clientID: "mojoauth-cli")
                return try Provoked(world, ["login"])
            },
            Situation("an issuer without discovery") {
                let world = try World()
                let sandbox = try Sandbox(in: world)
                try world.configure(issuer: "\(sandbox.issuer)/nobody", clientID: sandbox.clientID)
                return try Provoked(world, ["login"], keeping: sandbox)
            },
            Situation("an issuer with another name") {
                let world = try World()
                let sandbox = try Sandbox(in: world)
                try world.configure(issuer: "\(sandbox.issuer)/", clientID: sandbox.clientID)
                return try Provoked(world, ["login"], keeping: sandbox)
            },
            Situation("a proxy that is not there") {
                let world = try World()
                try world.configure(issuer: "https://issuer.invalid", clientID: "mojoauth-cli")
                return try Provoked(
                    world, ["login"], environment: ["https_proxy": "http://127.0.0.1:\(FreePort.find())"])
            },
            Situation("a ca-file that is not there") {
                try Provoked(configured(.unlockedKeyring, profile: ["ca-file": "/nonexistent.pem"]), ["login"])
            },
            Situation("the redirect's port is taken") {
                let world = try World()
                let sandbox = try Sandbox(in: world)
                return try FreePort.withListener { port in
                    try world.configure(sandbox, profile: ["redirect-uri": "http://127.0.0.1:\(port)/callback"])
                    return try Provoked(world, ["login"], keeping: sandbox)
                }
            },
            Situation("nobody signs in") {
                let world = try World()
                let sandbox = try Sandbox(in: world)
                try world.configure(sandbox, browser: BrowserStub(in: world))
                return try Provoked(world, ["login", "--timeout", "1"], keeping: sandbox)
            },
            Situation("the person denies it") { try faulty("deny", "login") },
            Situation("a silent login needs a person") { try faulty("interaction-required", "login", "--silent") },
            Situation("another login's ID token") { try faulty("wrong-nonce", "login") },
            Situation("an ID token of the past") { try faulty("expired-id-token", "login") },
            Situation("a signature that does not verify") { try faulty("bad-signature", "login") },
            Situation("an issuer that is not well") { try faulty("token-500", "refresh") },
            Situation("an issuer that wants a pause") { try faulty("token-429=7", "refresh") },
            Situation("a refresh token that is over") { try faulty("invalid-grant", "refresh") },
            Situation("a client that is not known") { try faulty("invalid-client", "refresh") },
            Situation("an answer that is cut off") { try faulty("drop-connection", "refresh") },
            Situation("a token of another kind") { try faulty("token-type-dpop", "refresh") },
            Situation("an issuer that cannot be told of a logout") { try faulty("revocation-503", "logout") },
            Situation("a command that is none") { try Provoked(configured(.noBus), ["statsu"]) },
            Situation("an option that is none") { try Provoked(configured(.noBus), ["status", "--jsno"]) },
        ]
    }

    @Test func everyFailureIsAsTheTableSays() throws {
        var rows: [String] = []
        for situation in Self.situations {
            let provoked = try situation.provoke()
            let outcome = provoked.outcome
            #expect(outcome.exitCode != 0, "\(situation.name): \(outcome)")
            let lines = try Golden.settled(outcome.errors, in: provoked.world).split(separator: "\n")
            let message = lines.compactMap { $0.wholeMatch(of: /mojoauth-credential: error: (.+)/)?.1 }
            let hint = lines.compactMap { $0.wholeMatch(of: /mojoauth-credential: hint: (.+)/)?.1 }
            #expect(message.count == 1 && hint.count == 1, "\(situation.name): \(outcome)")
            let words = [
                situation.name, "`\(provoked.arguments.joined(separator: " "))`", String(message.first ?? "-"),
                String(hint.first ?? "-"), "\(outcome.exitCode)",
            ]
            rows.append("| \(words.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |")
        }
        let table = rows.map { $0.replacing(/at [0-9]{9,}/, with: "at TIME").replacing(/[0-9]{9,}/, with: "TIME") }
        try Data((table.joined(separator: "\n") + "\n").utf8).write(
            to: URL(fileURLWithPath: InstalledPrograms.builtFolder()).deletingLastPathComponent()
                .appending(path: "failures.md"))
        let section = try #require(
            try String(contentsOf: Self.guide, encoding: .utf8).components(separatedBy: "## What a person reads").last)
        let written = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
            .dropFirst().map(String.init)
        #expect(Array(written) == table, "the rows of this run are in failures.md beside the programs")
    }

    private static let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "CONTRIBUTING.md")
}
