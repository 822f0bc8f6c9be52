import Options
import Program

/// `completion`: the script for a shell; and what the script asks back.
enum CompletionCommand: Command {
    struct Values {}

    static let name = "completion"
    static let summary = "Print the completions for bash, zsh or fish"
    static let defaults = Values()
    static var wordKind: WordKind { .one(of: CompletionScript.allCases.map(\.rawValue)) }

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential completion", parameters: "bash|zsh|fish", summary: summary,
            description: """
                Commands, options, profiles and hosts are completed.

                Examples:
                  source <(mojoauth-credential completion bash)         in ~/.bashrc
                  source <(mojoauth-credential completion zsh)          in ~/.zshrc, after compinit
                  mojoauth-credential completion fish | source          in config.fish
                """, rows: [])
    }

    static func main(_ arguments: [String]) throws(Complaint) -> ExitCode {
        // The scripts' own question; no option of the table, since it is none for people.
        if arguments.first == "--words" {
            let words = arguments.dropFirst(arguments.dropFirst().first == "--" ? 2 : 1)
            let candidates = Completion.candidates(for: Array(words))
            try print(candidates.map { "\($0.word)\t\($0.help)\n" }.joined())
            return .success
        }
        if arguments.contains(where: { $0 == "--help" || $0 == "-h" }) {
            try print(fullTable.help())
            return .success
        }
        var values = defaults
        return try run(values, try fullTable.parse(arguments, into: &values))
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.count == 1, let script = CompletionScript(rawValue: words[0]) else {
            throw Complaint(
                "completion for which shell? bash, zsh or fish", hint: "see 'mojoauth-credential completion --help'",
                exitCode: .usage)
        }
        try print(script.text)
        return .success
    }
}
