import HelperCommands
import Keyring
import Login
import Options
import Program
import Sensitive

/// `unlock`: for machines on which nobody sees the keyring's own prompt.
enum UnlockCommand: Command {
    struct Values {}

    static let name = "unlock"
    static let summary = "Unlock the keyring with its password, typed here"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential unlock", summary: summary,
            description: """
                For SSH and for machines without a screen. The password is asked at the terminal, whatever standard input
                is, and not shown. It works with gnome-keyring alone; others are unlocked in their own window.

                Example:
                  ssh -t HOST mojoauth-credential unlock
                """,
            rows: [])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        let client = SecretServiceClient(allowsPrompts: { false })
        guard let keyring = try look(client) else { return .success }
        let password = try ask(keyring.label)
        let isUnlocked: Bool
        do throws(KeyringError) {
            isUnlocked = try client.unlock(keyring, with: password)
        } catch {
            throw Complaint(error)
        }
        guard isUnlocked else {
            throw Complaint(
                "this is not the password of the keyring \"\(keyring.label)\", which stays locked",
                hint: "run it again; it is mostly the password of the first login on this machine",
                exitCode: .keyringUnavailable)
        }
        try print("unlocked the keyring \"\(DisplayText.clean(keyring.label))\"\n")
        return .success
    }

    /// - Returns: nil when there is nothing to unlock.
    private static func look(_ client: SecretServiceClient) throws(Complaint) -> CollectionFacts? {
        do throws(KeyringError) {
            guard let keyring = try client.defaultCollectionFacts() else { throw KeyringError.noDefaultCollection }
            guard keyring.isLocked else {
                StandardStream.writeError(
                    "The keyring \"\(DisplayText.clean(keyring.label))\" is unlocked already.\n")
                return nil
            }
            if try client.takesPassword() { return keyring }
        } catch {
            throw Complaint(error)
        }
        throw Complaint(
            "this keyring takes no password from a terminal", hint: "unlock it in its own window",
            exitCode: .keyringUnavailable)
    }

    private static func ask(_ label: String) throws(Complaint) -> Secret {
        do throws(TerminalQuestion.Failure) {
            return try TerminalQuestion(isSecret: true).ask("Password of the keyring \"\(DisplayText.clean(label))\": ")
        } catch {
            switch error {
            case .noTerminal:
                throw Complaint(
                    "the keyring is locked, and there is no terminal to ask for its password",
                    hint: "run it in a terminal; over SSH with 'ssh -t'", exitCode: .usage)
            case .cancelled: throw Complaint("no password was given; the keyring stays locked", exitCode: .cancelled)
            case .tooLong:
                throw Complaint(
                    "the password is longer than a terminal passes on", hint: "unlock the keyring in its own window",
                    exitCode: .usage)
            }
        }
    }
}
