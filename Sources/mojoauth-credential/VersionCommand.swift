import Options
import Program

enum VersionCommand: Command {
    struct Values {}

    static let name = "version"
    static let summary = "Show the version"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential version", summary: summary,
            description: """
                Example:
                  mojoauth-credential version
                """, rows: [])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        try print("mojoauth-credential \(Version.text)\n")
        return .success
    }
}
