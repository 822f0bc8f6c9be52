import Options
import Program

enum UnconfigureBackgroundCommand: Command {
    struct Values {}

    static let name = "background"
    static let summary = "Turn the systemd timer off"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential unconfigure background", summary: summary,
            description: """
                The same as 'mojoauth-credential configure background off'.

                Example:
                  mojoauth-credential unconfigure background
                """, rows: [])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        return try ConfigureBackgroundCommand.run(ConfigureBackgroundCommand.defaults, ["off"])
    }
}
