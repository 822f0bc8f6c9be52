import Program

/// The hot program: it acts by the name that it was started with, or by its first word (`mojoauth-helper git get`).
package enum HelperProgram {
    /// One helper protocol.
    private struct Row {
        /// The link's name.
        var link: String
        /// The first word, for use by hand.
        var word: String
        var run: ([String], String, any Renewal) -> Int32
    }

    private static var rows: [Row] {
        [
            Row(link: "git-credential-mojoauth", word: "git") { GitCommand.run($0, program: $1, renewal: $2) },
            Row(link: "docker-credential-mojoauth", word: "docker") { DockerCommand.run($0, program: $1, renewal: $2) },
        ]
    }

    /// - Parameter arguments: the zeroth included.
    /// - Returns: the exit code, 0 or 1.
    package static func run(_ arguments: [String]) -> Int32 {
        let name = arguments.first.flatMap { $0.split(separator: "/").last }.map(String.init) ?? "mojoauth-helper"
        let rest = Array(arguments.dropFirst())
        let renewal = ChildRenewal()
        if let row = rows.first(where: { $0.link == name }) { return row.run(rest, row.link, renewal) }
        if let row = rows.first(where: { $0.word == rest.first }) {
            return row.run(Array(rest.dropFirst()), row.link, renewal)
        }
        if rest == ["--version"] {
            return (try? StandardStream.writeOutput("mojoauth-helper \(Version.text)\n")) == nil ? 1 : 0
        }
        let words = rows.map(\.word).joined(separator: "|")
        StandardStream.writeError("usage: mojoauth-helper \(words) ACTION\n")
        return 1
    }
}
