import HelperCommands
import Options
import Program

/// `store` and `erase` take git's request, as the helper does.
enum StoreCommand: Command {
    struct Values {}

    static let name = "store"
    static let summary = "Keep the credential of git's request on stdin"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential store", summary: summary,
            description: """
                A host that the configuration names needs no storing: its token comes from the login.

                Example:
                  printf 'url=https://alice@other.example\\npassword=...\\n' | mojoauth-credential store
                """,
            rows: [])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        return try GetCommand.finish(GitCommand.answer("store", renewal: ProcessRenewal()))
    }
}
