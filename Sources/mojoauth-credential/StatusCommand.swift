import Configuration
import HelperCommands
import JSON
import Keyring
import OpenIDConnect
import Options
import Program
import SessionStore
import WebAddress

enum StatusCommand: Command {
    struct Values: ProfileOption, JSONOption {
        var profile: String?
        var isJSON = false
    }

    static let name = "status"
    static let summary = "Show the login of a profile, without a secret"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential status", summary: summary + ". Exit code 77 when there is none.",
            description: """
                The keyring is not unlocked for it: of a locked one it says that it is (exit code 69).

                Examples:
                  mojoauth-credential status
                  mojoauth-credential status --json --profile work
                """,
            rows: [.profile, .json])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        let desk = try Desk(mayPrompt: false)
        let profile = try desk.profile(values.profile)
        let key = SessionKey(profile)
        let place = try desk.stored { store throws(SessionStoreError) in try store.place(of: key) }
        var report = StatusReport(
            profile: profile, state: nil, hosts: desk.hosts(of: profile), now: Clock.now())
        report.place = place
        do throws(SessionStoreError) {
            report.state = try desk.store.find(key)
            if report.state != nil { report.place = try desk.store.place(of: key) }
        } catch {
            guard error == .keyring(.locked) else { throw Complaint(error) }
            report.isUnreadable = true
        }
        try print(values.isJSON ? try report.json() : report.text)
        // The answer is out; what could not be looked at is said beside it.
        if report.isUnreadable { throw Complaint(KeyringError.locked) }
        return report.isLoggedIn ? .success : .loginRequired
    }
}
