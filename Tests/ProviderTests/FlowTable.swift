import Foundation
import TestSupport

/// What was tried at which provider, how long our side of it took, and what came of it: printed at the end of the run.
final class FlowTable: @unchecked Sendable {
    // Sendable: `rows` is touched only under `lock`.
    private let lock = NSLock()
    private var rows: [Row] = []

    struct Row {
        var provider: String
        var flow: String
        var seconds: Double
        var verdict: String
    }

    func add(_ row: Row) {
        lock.lock()
        defer { lock.unlock() }
        rows.append(row)
    }

    /// As Markdown.
    var text: String {
        lock.lock()
        defer { lock.unlock() }
        let cells =
            [["provider", "flow", "seconds", "verdict"]]
            + rows.sorted { ($0.provider, $0.flow) < ($1.provider, $1.flow) }.map {
                [$0.provider, $0.flow, String(format: "%.2f", $0.seconds), $0.verdict]
            }
        let widths = (0..<4).map { column in cells.map { $0[column].count }.max() ?? 0 }
        var lines = cells.map { row in
            "| "
                + zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(
                    separator: " | ")
                + " |"
        }
        lines.insert("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|", at: 1)
        return lines.joined(separator: "\n")
    }
}
