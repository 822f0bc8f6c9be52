import Foundation
import Testing
import TestSupport

/// `configure profile`, by options and by answers at a terminal.
@Suite(.serialized) struct ConfigureProfileTests {
    private func stage() throws -> (world: World, sandbox: Sandbox) {
        let world = try World(.noBus)
        return (world, try Sandbox(in: world))
    }

    private func file(_ world: World) -> String? {
        try? String(contentsOfFile: world.configurationFile, encoding: .utf8)
    }

    private func expectWritten(
        _ world: World, _ sandbox: Sandbox, told: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for words in [
            "\(sandbox.issuer) offers userinfo, device flow, revocation, sign-out in the browser.",
            "Register as redirect URIs of client \(sandbox.clientID):", "  http://127.0.0.1:18437/callback",
            "Next: mojoauth-credential login",
        ] {
            #expect(told.contains(words), "\(words) is not in:\n\(told)", sourceLocation: sourceLocation)
        }
        #expect(
            file(world) == """
                # Profiles and hosts of mojoauth-credential; the keys are in mojoauth-credential.conf(5).

                [profile default]
                # Where the login is made, byte for byte as the issuer's metadata spells it.
                issuer=\(sandbox.issuer)
                # This program at the issuer, from its dashboard.
                client-id=\(sandbox.clientID)

                """, sourceLocation: sourceLocation)
        let mode = try FileManager.default.attributesOfItem(atPath: world.configurationFile)[.posixPermissions]
        #expect(mode as? Int == 0o600, sourceLocation: sourceLocation)
    }

    @Test func takesOptions() throws {
        let (world, sandbox) = try stage()
        let outcome = try world.run(
            "mojoauth-credential",
            ["configure", "profile", "--client-id", sandbox.clientID, "--issuer", sandbox.issuer])
        #expect(outcome.exitCode == 0 && outcome.output.isEmpty, "\(outcome)")
        try expectWritten(world, sandbox, told: outcome.errors)
    }

    @Test func asksAtTheTerminal() throws {
        let (world, sandbox) = try stage()
        let terminal = try PseudoTerminal(columns: 200)
        try terminal.start(world, "mojoauth-credential", ["configure", "profile"])
        try terminal.wait(for: "Issuer (such as ")
        terminal.type("acme\n")
        try terminal.wait(for: "That is not an https URL.")
        try terminal.wait { $0.components(separatedBy: "Issuer (such as ").count == 3 ? true : nil }
        terminal.type("  \(sandbox.issuer) \n")
        try terminal.wait(for: "Client id: ")
        terminal.type(sandbox.clientID + "\n")
        #expect(try terminal.finish() == 0, "\(terminal.text)")
        try expectWritten(world, sandbox, told: terminal.text)
    }

    @Test func asksForWhatIsMissingAlone() throws {
        let (world, sandbox) = try stage()
        let terminal = try PseudoTerminal(columns: 200)
        try terminal.start(world, "mojoauth-credential", ["configure", "profile", "--issuer", sandbox.issuer])
        try terminal.wait(for: "Client id: ")
        #expect(!terminal.text.contains("Issuer ("))
        terminal.type(sandbox.clientID + "\n")
        #expect(try terminal.finish() == 0, "\(terminal.text)")
        try expectWritten(world, sandbox, told: terminal.text)
    }

    @Test(arguments: [("\u{3}", Int32(130)), ("\u{4}", 130), ("a\nb\nc\n", 64)])
    func writesNothingWithoutAnAnswer(_ typed: String, _ exitCode: Int32) throws {
        let (world, _) = try stage()
        let terminal = try PseudoTerminal(columns: 200)
        try terminal.start(world, "mojoauth-credential", ["configure", "profile"])
        for (number, line) in typed.split(separator: "\n").enumerated() {
            try terminal.wait { $0.components(separatedBy: "Issuer (such as ").count == number + 2 ? true : nil }
            terminal.type(line + (typed.contains("\n") ? "\n" : ""))
        }
        #expect(try terminal.finish() == exitCode, "\(terminal.text)")
        #expect(file(world) == nil && terminal.echoes)
    }

    @Test func needsATerminalOrOptions() throws {
        let outcome = try World(.noBus).run("mojoauth-credential", ["configure", "profile"])
        #expect(outcome.exitCode == 64 && outcome.errors.contains("--issuer and --client-id"), "\(outcome)")
    }

    /// What cannot be used is not written, and what stood there stays.
    @Test func writesNoIssuerThatCannotBeUsed() throws {
        let (world, sandbox) = try stage()
        try world.configure(sandbox)
        let before = file(world)
        let unreachable = "http://127.0.0.1:\(try FreePort.find())"
        for (issuer, exitCode) in [
            (unreachable, Int32(75)), ("\(sandbox.issuer)/", 76), ("\(sandbox.issuer)/nobody", 78),
        ] {
            let outcome = try world.run("mojoauth-credential", ["configure", "profile", "--issuer", issuer])
            #expect(outcome.exitCode == exitCode && outcome.errors.contains("nothing was written"), "\(outcome)")
            #expect(outcome.errors.contains("--offline writes the profile all the same"), "\(outcome)")
            #expect(file(world) == before)
        }
        let offline = try world.run(
            "mojoauth-credential", ["configure", "profile", "--offline", "--issuer", unreachable])
        #expect(offline.exitCode == 0 && file(world)?.contains("issuer=\(unreachable)\n") == true, "\(offline)")
    }

    /// A profile that is there keeps its comments, and the issuer is not asked for another key.
    @Test func changesOneKey() throws {
        let world = try World(.noBus)
        let text = "# mine\n[profile default]\nissuer=https://issuer.invalid\n# why\nclient-id=a\n"
        try world.writeConfiguration(text)
        let outcome = try world.run("mojoauth-credential", ["configure", "profile", "--min-lifetime", "5"])
        #expect(outcome.exitCode == 0 && file(world) == text + "min-lifetime=5\n", "\(outcome)\n\(file(world) ?? "")")
    }
}
