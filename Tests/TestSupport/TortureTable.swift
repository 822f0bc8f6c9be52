import Foundation
import Synchronization

/// What was done to the programs and what came of it: one table, the last two columns 0.
///
/// It lies in `.build/torture`, where each row goes as soon as it is known; `make torture` removes it before its suites
/// and prints it after them, also when one failed. Suites that run in processes of their own share it: a row takes the
/// place of one of the same fault and operations.
package final class TortureTable: Sendable {
    package static let shared = TortureTable()

    package struct Row: Sendable {
        package var fault: String
        /// What was run under it.
        package var operations: String
        package var runs: Int
        /// Seconds until the slowest of them answered.
        package var longest: Double
        /// Logins, credentials and answers that were good and are gone or changed.
        package var lost: Int
        /// Secrets found where none may be.
        package var leaked: Int

        package init(
            fault: String, operations: String, runs: Int = 0, longest: Double = 0, lost: Int = 0, leaked: Int = 0
        ) {
            (self.fault, self.operations, self.runs) = (fault, operations, runs)
            (self.longest, self.lost, self.leaked) = (longest, lost, leaked)
        }

        fileprivate var cells: [String] {
            [fault, operations, "\(runs)", String(format: "%.2f s", longest), "\(lost)", "\(leaked)"]
        }
    }

    private let file: URL
    private let guarding = Mutex(())

    package convenience init() {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        self.init(file: root.appending(path: ".build/torture"))
    }

    package init(file: URL) {
        self.file = file
    }

    /// Is this the long form? The short one goes with every test run.
    package static var isFull: Bool { ProcessInfo.processInfo.environment["TORTURE"] == "full" }

    /// - Parameters:
    ///   - long: of the long form.
    ///   - short: of the short one.
    package static func runs(_ long: Int, short: Int) -> Int { isFull ? long : short }

    package func add(_ row: Row) {
        guarding.withLock { _ in
            let others = rows().filter { $0[0] != row.fault || $0[1] != row.operations }
            let text = Self.text((others + [row.cells]).sorted { $0[0] < $1[0] })
            // One that cannot be written is missed by who prints it.
            try? text.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    private static let titles = ["fault", "operations", "runs", "longest answer", "lost", "leaked"]

    /// Those that are there already, as cells.
    private func rows() -> [[String]] {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").dropFirst(2).map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.count == Self.titles.count }
    }

    /// As Markdown.
    private static func text(_ rows: [[String]]) -> String {
        let cells = [titles] + rows
        let widths = titles.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        var lines = cells.map { row in
            let padded = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        lines.insert("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|", at: 1)
        return lines.joined(separator: "\n") + "\n"
    }
}
