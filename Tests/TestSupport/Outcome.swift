/// What a program answered.
package struct Outcome: Sendable, CustomStringConvertible {
    /// The exit status, or 128 and the signal that ended it.
    package var exitCode: Int32
    package var output: [UInt8]
    package var errors: String
    /// From the start to the end.
    package var seconds: Double

    package var text: String { String(decoding: output, as: UTF8.self) }

    /// `key=value` lines as git writes them; the last one of a key wins.
    package var attributes: [String: String] {
        var result: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
        }
        return result
    }

    package var description: String {
        "exit \(exitCode) after \(seconds) s\nstdout: \(text)\nstderr: \(errors)"
    }
}

/// A program was still running at its limit.
package struct Overdue: Error, CustomStringConvertible, Sendable {
    package var description: String

    package init(description: String) {
        self.description = description
    }
}
