import Options
import Program

/// `configure` and its subcommands.
enum ConfigureCommand: Command {
    struct Values {}

    static let name = "configure"
    static let summary = "Set up a profile, git, docker or the background refresh"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential configure", parameters: "profile|git|docker|background", summary: summary,
            description: """
                'mojoauth-credential configure profile --help' and so on show the options of each.

                Examples:
                  mojoauth-credential configure profile
                  mojoauth-credential configure git https://git.example.com
                  mojoauth-credential configure docker registry.example.com
                """, rows: [])
    }

    static var subcommands: [any Command.Type] {
        [
            ConfigureProfileCommand.self, ConfigureGitCommand.self, ConfigureDockerCommand.self,
            ConfigureBackgroundCommand.self,
        ]
    }

    static func main(_ arguments: [String]) throws(Complaint) -> ExitCode {
        guard let word = arguments.first else {
            throw Complaint(
                "configure what? profile, git, docker or background",
                hint: "see 'mojoauth-credential configure --help'",
                exitCode: .usage)
        }
        if word == "--help" || word == "-h" {
            try print(fullTable.help())
            return .success
        }
        guard let command = subcommands.first(where: { $0.name == word }) else {
            let nearest = Suggestion.nearest(to: word, among: subcommands.map { $0.name })
            throw Complaint(
                "there is nothing to configure under \"\(word)\"",
                hint: nearest.map { "did you mean \"\($0)\"?" } ?? "say profile, git, docker or background",
                exitCode: .usage)
        }
        return try command.main(Array(arguments.dropFirst()))
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try main(words)
    }
}
