import Foundation
import Testing
import TestSupport

/// Everything that can be wrong with a keyring, and every operation under it: how long it takes, its exit code, what it
/// says, and what is in the keyring afterwards.
///
/// `make test` runs every fault with the operations that differ; `make torture` runs all of them, and waits for the two
/// minutes of a prompt.
@Suite struct KeyringFaultTests {
    private static let isTorture = ProcessInfo.processInfo.environment["TORTURE"] == "full"

    static let faults = KeyringFault.table.filter { isTorture || !$0.isForTortureAlone }

    @Test(arguments: faults) func isSurvived(_ fault: KeyringFault) throws {
        let stage = try KeyringStage(fault.service)
        let operations = fault.operations.filter { Self.isTorture || fault.sample?.contains($0.name) ?? true }
        switch fault.manner {
        case .together: try run(operations, under: fault, on: stage)
        case .inTurn: for operation in operations { try run([operation], under: fault, on: stage) }
        }
    }

    /// Nobody waits for a dead daemon once for everybody who came before.
    @Test func refreshesDoNotStandInLine() throws {
        let signedIn = try SignedIn()
        signedIn.world.keyring?.freeze()
        let running = try (0..<4).map { _ in try signedIn.world.start("mojoauth-credential", ["refresh"]) }
        for execution in running {
            let outcome = try execution.finish(within: 40)
            #expect(outcome.exitCode == 69 && outcome.seconds < 6.5, "\(outcome)")
            #expect(outcome.errors.contains(KeyringFault.silent), "\(outcome)")
        }
        signedIn.world.keyring?.thaw()
        #expect(try signedIn.sandbox.refreshes() == 0)
    }

    /// A command that needs the keyring three times asks the person once.
    @Test func aDismissedPromptIsNotOpenedAgain() throws {
        let signedIn = try SignedIn()
        let world = signedIn.world
        // Whoever is asked a second time says yes.
        let prompter = try MockPrompter(in: world, [.cancel, .password(KeyringDaemon.password)])
        world.keyring?.kill()
        try world.startKeyring(prompter: prompter)
        try world.lockKeyring()
        let outcome = try world.run("mojoauth-credential", ["logout", "--force"])
        #expect(outcome.exitCode == 69 && outcome.errors.contains(KeyringFault.dismissed), "\(outcome)")
        #expect(try signedIn.state().isEmpty == false)
    }

    private func run(_ operations: [KeyringOperation], under fault: KeyringFault, on stage: KeyringStage) throws {
        try stage.remember()
        try fault.strike(stage)
        let before = stage.remembered
        let environment = fault.environment(stage.world)
        let running = try operations.map { try $0.start(in: stage.world, environment: environment) }
        try fault.meanwhile(stage)
        var expected = before
        for (operation, execution) in zip(operations, running) {
            let outcome = try execution.finish(within: fault.limit + 20)
            let expectation = fault.expectation(operation)
            try KeyringFaultReport.shared.add(fault, operation, outcome)
            check(outcome, expectation, operation, fault)
            guard expectation.takesEffect else { continue }
            switch operation.effect {
            case .reads: if fault.renews { expected[.login] = nil }
            case .removes(let kind): expected[kind] = []
            case .changes(let kind): expected[kind] = nil
            }
        }
        if fault.recovers { try stage.recover() }
        let after = try stage.contents()
        for kind in KeyringStage.Kind.allCases {
            let row = "\(fault.name), \(operations.map(\.name)): \(kind)"
            if let secrets = expected[kind] {
                #expect(after[kind] == secrets, "\(row)")
            } else {
                #expect(after[kind]?.count == 1 && after[kind] != before[kind], "\(row)")
            }
        }
    }

    private func check(
        _ outcome: Outcome, _ expectation: KeyringFault.Expectation, _ operation: KeyringOperation,
        _ fault: KeyringFault
    ) {
        let row = "\(fault.name), \(operation.name): \(outcome)"
        #expect(outcome.exitCode == expectation.exitCode, "\(row)")
        #expect(outcome.seconds < fault.limit && outcome.seconds >= fault.minimum, "\(row)")
        // docker reads a helper's complaint on stdout.
        let isDocker = operation.program.hasPrefix("docker")
        let complaint = isDocker && outcome.exitCode != 0 ? outcome.text : outcome.errors
        if expectation.words.isEmpty {
            #expect(!complaint.contains("error:"), "\(row)")
        } else {
            #expect(expectation.words.contains { complaint.contains($0) }, "\(row)")
        }
        if outcome.exitCode != 0, operation.name == "git get" { #expect(outcome.text.contains("quit=1\n"), "\(row)") }
        // What the libraries say of themselves is for nobody.
        for word in ["GLib", "CRITICAL", "X11", "org.freedesktop.DBus"] {
            #expect(!outcome.errors.contains(word), "\(row)")
        }
    }
}
