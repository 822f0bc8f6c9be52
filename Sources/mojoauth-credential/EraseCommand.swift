import HelperCommands
import Options
import Program

enum EraseCommand: Command {
    struct Values {}

    static let name = "erase"
    static let summary = "Forget the credential of git's request on stdin"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential erase", summary: summary,
            description: """
                A token of a login is marked as refused and renewed at the next use; the login stays.

                Example:
                  printf 'url=https://alice@other.example\\n' | mojoauth-credential erase
                """,
            rows: [])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        return try GetCommand.finish(GitCommand.answer("erase", renewal: ProcessRenewal()))
    }
}
