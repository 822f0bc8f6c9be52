import Foundation
import TestSupport

/// `keyring-faults.md` beside the programs: a line for each operation under each fault.
final class KeyringFaultReport: @unchecked Sendable {
    // Sendable: `rows` is touched only with `guarding` locked.
    private let guarding = NSLock()
    private var rows: [String] = []

    static let shared = KeyringFaultReport()

    func add(_ fault: KeyringFault, _ operation: KeyringOperation, _ outcome: Outcome) throws {
        let seconds = String(format: "%.2f", outcome.seconds)
        let file = URL(fileURLWithPath: try InstalledPrograms.builtFolder()).deletingLastPathComponent()
            .appending(path: "keyring-faults.md")
        try guarding.withLock {
            rows.append("| \(fault.name) | \(operation.name) | \(seconds) | \(outcome.exitCode) |")
            let text = ["| fault | operation | seconds | exit code |", "|---|---|---|---|"] + rows
            try Data((text.joined(separator: "\n") + "\n").utf8).write(to: file)
        }
    }
}
