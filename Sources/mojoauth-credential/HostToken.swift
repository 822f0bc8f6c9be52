import Configuration
import HelperCommands
import HelperProtocol
import Program
import WebAddress

/// The token of a host that the configuration names, for a person or a command of theirs.
enum HostToken {
    /// Fresh from the keyring, or renewed; no login is opened.
    static func serve(_ origin: Origin) throws(Complaint) -> ServedToken {
        let context = try HelperContext(caller: .person, renewal: ProcessRenewal())
        guard let (entry, profile) = try context.served([origin]) else { throw noEntry(origin) }
        return try context.tokens.token(
            for: entry, profile: profile, minimumLifetime: entry.minimumLifetime ?? profile.minimumLifetime,
            mayLogIn: { noLogin })
    }

    /// A script that asks for a token gets an exit code, not a browser.
    static var noLogin: Complaint? { Complaint("no login is opened by this command", exitCode: .loginRequired) }

    static func noEntry(_ origin: Origin) -> Complaint {
        Complaint(
            "no host entry names \(origin), so it gets no token",
            hint: "run 'mojoauth-credential configure host \(origin)' if it should", exitCode: .configuration)
    }
}
