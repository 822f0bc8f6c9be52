import Foundation
import Synchronization

/// What was done to the programs and what came of it: one table for the whole run, the last two columns 0.
///
/// It is printed when the last suite has ended, and kept in `.build/torture` for `make torture`.
final class TortureTable: Sendable {
    static let shared = TortureTable()

    struct Row: Sendable {
        var fault: String
        /// What was run under it.
        var operations: String
        var runs: Int
        /// Seconds until the slowest of them answered.
        var longest: Double
        /// Logins and answers that were good and are gone.
        var lost: Int
        /// Secrets found where none may be.
        var leaked: Int
    }

    private let rows = Mutex<[Row]>([])

    /// Is this the long form? The short one goes with every test run.
    static var isFull: Bool { ProcessInfo.processInfo.environment["TORTURE"] == "full" }

    /// - Parameters:
    ///   - long: of the long form.
    ///   - short: of the short one.
    static func runs(_ long: Int, short: Int) -> Int { isFull ? long : short }

    func add(_ row: Row) {
        let text = rows.withLock { rows in
            rows.append(row)
            return Self.text(rows)
        }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        try? text.write(to: root.appending(path: ".build/torture"), atomically: true, encoding: .utf8)
    }

    /// As Markdown.
    private static func text(_ rows: [Row]) -> String {
        let cells =
            [["fault", "operations", "runs", "longest answer", "lost", "leaked"]]
            + rows.sorted { $0.fault < $1.fault }.map {
                [
                    $0.fault, $0.operations, "\($0.runs)", String(format: "%.2f s", $0.longest), "\($0.lost)",
                    "\($0.leaked)",
                ]
            }
        let widths = cells[0].indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        var lines = cells.map { row in
            let padded = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        lines.insert("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|", at: 1)
        return lines.joined(separator: "\n") + "\n"
    }
}
