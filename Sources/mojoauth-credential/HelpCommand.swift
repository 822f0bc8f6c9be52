import Options
import Program

enum HelpCommand: Command {
    struct Values {}

    static let name = "help"
    static let summary = "Show the commands, or the help of one"
    static let defaults = Values()
    static var wordKind: WordKind { .one(of: CommandDispatcher.commands.map { $0.name }) }

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential help", parameters: "[COMMAND...]", summary: summary,
            description: """
                Examples:
                  mojoauth-credential help login
                  mojoauth-credential help configure git
                """,
            rows: [])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard let word = words.first else {
            try print(overview)
            return .success
        }
        var command = try CommandDispatcher.find(word)
        for word in words.dropFirst() {
            guard let next = command.subcommands.first(where: { $0.name == word }) else {
                throw Complaint(
                    "\"\(command.name)\" has no \"\(word)\"", hint: "see 'mojoauth-credential \(command.name) --help'",
                    exitCode: .usage)
            }
            command = next
        }
        return try command.main(["--help"])
    }

    static var overview: String {
        let width = CommandDispatcher.commands.map { $0.name.count }.max() ?? 0
        let lines = CommandDispatcher.commands.map { command in
            let padding = String(repeating: " ", count: width - command.name.count + 2)
            return "  \(command.name)\(padding)\(command.summary)\n"
        }
        return """
            Usage: mojoauth-credential COMMAND [OPTION...]

            Sign in to MojoAuth once, in the browser; git, docker and the like take the token from the keyring.

            Commands:
            \(lines.joined())
            'mojoauth-credential COMMAND --help' shows the options of a command; mojoauth-credential(1) is the manual.

            """
    }
}
