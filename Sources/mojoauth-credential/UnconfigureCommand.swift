import Options
import Program

/// `unconfigure` and its three subcommands: each takes back what that of `configure` wrote.
enum UnconfigureCommand: Command {
    struct Values {}

    static let name = "unconfigure"
    static let summary = "Take back what configure wrote"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential unconfigure", parameters: "profile|git|docker", summary: summary,
            description: """
                'mojoauth-credential unconfigure git --help' and so on show the options of each.
                """, rows: [])
    }

    static var subcommands: [any Command.Type] {
        [UnconfigureProfileCommand.self, UnconfigureGitCommand.self, UnconfigureDockerCommand.self]
    }

    static func main(_ arguments: [String]) throws(Complaint) -> ExitCode {
        guard let word = arguments.first else {
            throw Complaint(
                "unconfigure what? profile, git or docker", hint: "see 'mojoauth-credential unconfigure --help'",
                exitCode: .usage)
        }
        if word == "--help" || word == "-h" {
            try print(fullTable.help())
            return .success
        }
        guard let command = subcommands.first(where: { $0.name == word }) else {
            let nearest = Suggestion.nearest(to: word, among: subcommands.map { $0.name })
            throw Complaint(
                "there is nothing to unconfigure under \"\(word)\"",
                hint: nearest.map { "did you mean \"\($0)\"?" } ?? "say profile, git or docker", exitCode: .usage)
        }
        return try command.main(Array(arguments.dropFirst()))
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try main(words)
    }

    /// Tells what was done. That nothing was there to undo is no failure.
    static func report(_ lines: String, about what: String) -> ExitCode {
        StandardStream.writeError(lines.isEmpty ? "Nothing to undo for \(what).\n" : lines)
        return .success
    }
}
