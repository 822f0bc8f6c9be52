import Configuration
import HelperCommands
import Keyring
import Options
import Program
import SessionStore

enum UnconfigureProfileCommand: Command {
    struct Values {}

    static let name = "profile"
    static let summary = "Remove a profile from the configuration file"
    static let defaults = Values()
    static var wordKind: WordKind { .profile }

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential unconfigure profile", parameters: "[NAME]", summary: summary,
            description: """
                Not while a host entry names the profile, nor while its login is in the keyring: log out first.

                Example:
                  mojoauth-credential unconfigure profile work
                """, rows: [])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.count <= 1 else {
            throw Complaint(
                "one profile name at most", hint: "see 'mojoauth-credential unconfigure profile --help'",
                exitCode: .usage)
        }
        let name = words.first ?? Profile.defaultName
        let desk = try Desk()
        guard desk.configuration.hasProfile(named: name) else {
            return UnconfigureCommand.report("", about: "profile \"\(name)\"")
        }
        let hosts = desk.configuration.hosts.filter { $0.profileName == name }.map(\.origin.description)
        guard hosts.isEmpty else {
            throw Complaint(
                "profile \"\(name)\" serves \(hosts.joined(separator: ", "))",
                hint: "run 'mojoauth-credential unconfigure git \(hosts[0])' or the like first",
                exitCode: .configuration)
        }
        try checkLogin(name, desk)
        let isRemoved: Bool
        do throws(ConfigurationError) {
            isRemoved = try ConfigurationWriter().remove(.profile(name))
        } catch {
            throw Complaint(error)
        }
        let file = desk.configuration.userFile ?? "the configuration file"
        return UnconfigureCommand.report(
            isRemoved ? "Removed profile \"\(name)\" from \(file).\n" : "", about: "profile \"\(name)\" in \(file)")
    }

    /// A login whose profile is gone could no longer be revoked. A profile with a fault cannot have one to look for, and
    /// without a keyring there is none; one that does not answer may hold it.
    private static func checkLogin(_ name: String, _ desk: Desk) throws(Complaint) {
        guard let profile = try? desk.configuration.profile(named: name) else { return }
        do throws(SessionStoreError) {
            guard try desk.store.keepsLogin(SessionKey(profile)) else { return }
        } catch {
            switch error {
            case .keyring(.noBus), .keyring(.busUnreachable), .keyring(.noService): return
            default: throw Complaint(error)
            }
        }
        let option = name == Profile.defaultName ? "" : " --profile \(name)"
        throw Complaint(
            "the login of profile \"\(name)\" is in the keyring",
            hint: "run 'mojoauth-credential logout\(option)' first",
            exitCode: .configuration)
    }
}
