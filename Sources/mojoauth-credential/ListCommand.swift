import HelperCommands
import JSON
import Keyring
import Options
import Program

/// `list`: what lies in the keyring, ours and what we keep for others.
enum ListCommand: Command {
    struct Values: JSONOption {
        var isJSON = false
    }

    static let name = "list"
    static let summary = "List what is in the keyring, without a secret"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential list", summary: summary,
            description: """
                Logins, client secrets and damaged logins of all profiles; then the git and docker credentials of other
                hosts, by host and user. The keyring is not unlocked for it: what is locked is counted.

                Examples:
                  mojoauth-credential list
                  mojoauth-credential list --json
                """,
            rows: [.json])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        let inventory: Inventory
        do throws(KeyringError) {
            inventory = try Inventory(of: SecretServiceClient(allowsPrompts: { false }))
        } catch {
            throw Complaint(error)
        }
        try print(values.isJSON ? try Report.text(inventory.json) : inventory.text)
        return .success
    }
}
