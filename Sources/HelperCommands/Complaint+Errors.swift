import Configuration
import Keyring
import Program
import SessionStore
import WebAddress

/// The one place where errors of the modules below become what a person reads.
extension Complaint {
    package init(_ error: KeyringError) {
        let hint: String? =
            switch error {
            case .noBus:
                "the keyring is reached over the session bus: run this in a desktop session, or start one with 'dbus-run-session'"
            case .busUnreachable: "DBUS_SESSION_BUS_ADDRESS names a bus that is gone: log in again, or unset it"
            case .noService: "install and start a Secret Service, for example the package gnome-keyring"
            case .locked, .promptDismissed:
                "unlock the keyring with 'mojoauth-credential unlock' or in the desktop's password manager, and try again"
            case .noDefaultCollection: "make a default keyring in the desktop's password manager and try again"
            case .timedOut(_, whilePrompting: false), .serviceVanished:
                "the keyring service hangs or has ended: restart it, or log in to the desktop again"
            case .timedOut(_, whilePrompting: true): "answer the keyring's prompt and try again"
            case .refused: nil
            }
        self.init(error.description, hint: hint, exitCode: .keyringUnavailable)
    }

    package init(_ error: SessionStoreError) {
        switch error {
        case .keyring(let error): self.init(error)
        case .newerVersion(_, let profile):
            self.init(
                error.description,
                hint:
                    "update this program, or remove the login with 'mojoauth-credential logout --profile \(profile) --force'",
                exitCode: .loginRequired)
        case .damaged(let profile):
            self.init(
                error.description,
                hint:
                    "log in again with 'mojoauth-credential login --profile \(profile)', which keeps what was found aside, "
                    + "or remove it with 'mojoauth-credential logout --profile \(profile) --force'",
                exitCode: .loginRequired)
        case .lockFolder:
            self.init(
                error.description, hint: "the folder must be yours alone and writable", exitCode: .configuration)
        case .lockTimedOut: self.init(error.description, hint: "try again", exitCode: .temporary)
        }
    }

    package init(_ error: ConfigurationError) {
        let hint =
            switch error.kind {
            case .untrusted: "the file must belong to you or to root, and nobody else may write it"
            case .badVariable: "set MOJOAUTH_CONFIG to a path that begins with /, or unset it"
            case .unacceptable: "say it in another way; the keys are in mojoauth-credential.conf(5)"
            case .unknownProfile: "make it with 'mojoauth-credential configure profile --issuer URL --client-id ID'"
            default: "mend the file; its keys are in mojoauth-credential.conf(5)"
            }
        self.init(error.description, hint: hint, exitCode: .configuration)
    }

    /// There is no login for a profile, or none that can be renewed.
    package static func loginRequired(profile: String, because reason: String = "not logged in") -> Complaint {
        let option = profile == Profile.defaultName ? "" : " --profile \(profile)"
        return Complaint(
            "\(reason) (profile \"\(profile)\")", hint: "run 'mojoauth-credential login\(option)'",
            exitCode: .loginRequired)
    }

    /// A login in a process of its own came to nothing; that process has said why.
    ///
    /// - Parameter status: what it ended with, which is not 0.
    package static func loginNotCompleted(profile: String, status: Int32) -> Complaint {
        Complaint(
            "the login of profile \"\(profile)\" was not completed",
            hint: "run 'mojoauth-credential login --profile \(profile)'",
            exitCode: ExitCode(rawValue: status) ?? .loginRequired)
    }

    /// Only a refresh token makes a token for one host's audience, and the issuer gave none.
    static func noTokenOfItsOwn(_ entry: HostEntry) -> Complaint {
        Complaint(
            "[host \(entry.label)] asks for a token of its own, and the login has no refresh token to get one with",
            hint:
                "remove audience and resource from the entry, or add offline_access to the profile's scopes and log in",
            exitCode: .configuration)
    }

    /// A host refuses what the issuer makes for it.
    static func refusedTwice(_ entry: HostEntry?, age: Int) -> Complaint {
        let host = entry?.origin.description ?? "a host"
        let audience = entry?.audience ?? entry?.resource
        return Complaint(
            "\(host) refuses the token, which is \(age) seconds old and replaced one that it had refused"
                + (audience.map { " (audience \"\($0)\")" } ?? ""),
            hint:
                "the host may want another audience, or does not trust this issuer: "
                + "see audience in mojoauth-credential.conf(5)",
            exitCode: .configuration)
    }
}
