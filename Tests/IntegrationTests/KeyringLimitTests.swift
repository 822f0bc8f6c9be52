import Testing
import TestSupport

/// A keyring that does not answer: what every command costs then, and what it says.
@Suite(.serialized) struct KeyringLimitTests {
    /// Five seconds for a call, and what a process needs besides on a busy machine.
    private static let limit = 6.5

    /// Every command that asks the keyring, with its exit code when the keyring cannot be asked.
    static let commands: [Command] = [
        Command("git get", "git-credential-mojoauth", ["get"], World.gitRequest(SignedIn.host), 1),
        Command(
            "git store", "git-credential-mojoauth", ["store"],
            World.gitRequest("https://code.example.org", ["username": "bob", "password": "p"]), 1),
        Command(
            "git erase", "git-credential-mojoauth", ["erase"],
            World.gitRequest("https://code.example.org", ["username": "bob", "password": "p"]), 1),
        Command("docker get", "docker-credential-mojoauth", ["get"], "git.example.com", 1),
        Command(
            "docker store", "docker-credential-mojoauth", ["store"],
            #"{"ServerURL":"r.example.org","Username":"bob","Secret":"s"}"#, 1),
        Command("status", "mojoauth-credential", ["status"], "", 69),
        Command("refresh", "mojoauth-credential", ["refresh"], "", 69),
        Command("get", "mojoauth-credential", ["get"], "", 69),
        Command("logout", "mojoauth-credential", ["logout"], "", 69),
        Command("login", "mojoauth-credential", ["login"], "", 69),
    ]

    struct Command: Sendable, CustomTestStringConvertible {
        var name: String
        var program: String
        var arguments: [String]
        var input: String
        var exitCode: Int32

        init(_ name: String, _ program: String, _ arguments: [String], _ input: String, _ exitCode: Int32) {
            (self.name, self.program, self.arguments) = (name, program, arguments)
            (self.input, self.exitCode) = (input, exitCode)
        }

        var testDescription: String { name }

        func run(in world: World) throws -> Outcome {
            try world.run(program, arguments, input: input)
        }
    }

    @Test func stoppedDaemonCostsFiveSecondsAtMost() throws {
        let signedIn = try SignedIn()
        let world = signedIn.world
        world.keyring?.freeze()
        // All at once: they wait for the same daemon, not for each other.
        let running = try Self.commands.map {
            ($0, try world.start($0.program, $0.arguments, input: $0.input))
        }
        for (command, execution) in running {
            let outcome = try execution.finish()
            #expect(outcome.seconds < Self.limit, "\(command.name): \(outcome)")
            #expect(outcome.exitCode == command.exitCode, "\(command.name): \(outcome)")
            // docker reads a helper's complaint on stdout.
            let complaint = command.program.hasPrefix("docker") ? outcome.text : outcome.errors
            #expect(complaint.contains("keyring"), "\(command.name): \(outcome)")
        }
        world.keyring?.thaw()
        #expect(try world.gitCredential("get", SignedIn.host).attributes["password"] != nil)
    }

    @Test(arguments: commands) func killedDaemonIsReportedAtOnce(_ command: Command) throws {
        let world = try World()
        try world.configure(
            issuer: "http://127.0.0.1:9", clientID: "mojoauth-cli", hosts: [SignedIn.host: [:]])
        world.keyring?.kill()
        let outcome = try command.run(in: world)
        #expect(outcome.seconds < Self.limit, "\(outcome)")
        #expect(outcome.exitCode == command.exitCode, "\(outcome)")
    }

    @Test(arguments: commands) func noBusIsReportedAtOnce(_ command: Command) throws {
        let world = try World(.noBus)
        try world.configure(
            issuer: "http://127.0.0.1:9", clientID: "mojoauth-cli", hosts: [SignedIn.host: [:]])
        let outcome = try command.run(in: world)
        #expect(outcome.seconds < 2, "\(outcome)")
        #expect(outcome.exitCode == command.exitCode, "\(outcome)")
        #expect(!outcome.errors.contains("X11"), "GDBus' own words leaked: \(outcome)")
    }
}
