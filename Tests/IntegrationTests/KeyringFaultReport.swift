import Foundation
import TestSupport

/// `keyring-faults.md` beside the programs' folder: a line for each operation under each fault.
final class KeyringFaultReport: @unchecked Sendable {
    // Sendable: `lines` is touched only with `guarding` locked.
    private let guarding = NSLock()
    private var lines: [String] = []

    static let shared = KeyringFaultReport()

    private static let titles = ["fault", "operation", "seconds", "exit code", "complaint", "keyring afterwards"]

    /// - Parameter afterwards: what became of the items.
    func add(_ fault: KeyringFault, _ ended: [(operation: KeyringOperation, outcome: Outcome)], afterwards: String)
        throws
    {
        let rows = ended.map { operation, outcome in
            let complaint = operation.complaint(outcome).split(separator: "\n").first.map(String.init) ?? ""
            return [
                fault.name, operation.name, String(format: "%.2f", outcome.seconds), "\(outcome.exitCode)",
                complaint.replacing("|", with: "\\|"), afterwards,
            ]
        }
        let file = URL(fileURLWithPath: try InstalledPrograms.builtFolder()).deletingLastPathComponent()
            .appending(path: "keyring-faults.md")
        try guarding.withLock {
            lines += rows.map(Self.line)
            let text = [Self.line(Self.titles), Self.line(Self.titles.map { _ in "---" })] + lines
            try Data((text.joined(separator: "\n") + "\n").utf8).write(to: file)
        }
    }

    private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
