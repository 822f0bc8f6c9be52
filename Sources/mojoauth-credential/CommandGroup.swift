import Options
import Program

/// A command whose first word names another one: `configure git`.
protocol CommandGroup: Command where Values == Void {
    /// Behind the words that its subcommands make.
    static var description: String { get }
}

extension CommandGroup {
    static var defaults: Void { () }

    static var table: OptionTable<Void> {
        OptionTable(
            command: "mojoauth-credential \(name)", parameters: subcommands.map { $0.name }.joined(separator: "|"),
            summary: summary, description: description, rows: [])
    }

    /// `profile, git or docker`.
    private static var choice: String {
        let names = subcommands.map { $0.name }
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    static func main(_ arguments: [String]) throws(Complaint) -> ExitCode {
        guard let word = arguments.first else {
            throw Complaint(
                "\(name) what? \(choice)", hint: "see 'mojoauth-credential \(name) --help'", exitCode: .usage)
        }
        if word == "--help" || word == "-h" {
            try print(fullTable.help())
            return .success
        }
        guard let command = subcommands.first(where: { $0.name == word }) else {
            let nearest = Suggestion.nearest(to: word, among: subcommands.map { $0.name })
            throw Complaint(
                "there is nothing to \(name) under \"\(word)\"",
                hint: nearest.map { "did you mean \"\($0)\"?" } ?? "say \(choice)", exitCode: .usage)
        }
        return try command.main(Array(arguments.dropFirst()))
    }

    static func run(_ values: Void, _ words: [String]) throws(Complaint) -> ExitCode {
        try main(words)
    }
}
