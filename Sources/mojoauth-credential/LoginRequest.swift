import Configuration
import Glibc
import HelperCommands
import Program
import SessionStore

/// Asks a person to sign in when no command of theirs is waiting: one line at a terminal, else one notification of the
/// desktop's, at most one in ten minutes.
struct LoginRequest {
    /// In the order of the configuration; never empty.
    let profiles: [Profile]

    /// How long the notification's button is waited for, in seconds.
    private static let patience = 600.0

    /// - Returns: 0 when the person has signed in, else 77.
    func make() throws(Complaint) -> ExitCode {
        let complaint = Complaint.loginRequired(profile: profiles[0].name, because: "the login has ended")
        guard !Self.hasTerminal() else { throw complaint }
        let note = LoginNote.notified
        let keys = profiles.map { SessionKey($0) }
        // Of several logins the first that ended speaks for all.
        guard !keys.contains(where: { note.isRecent($0, at: Clock.now()) }) else { return .loginRequired }
        // Before it is shown: two that run at once show one.
        for key in keys { note.record(key, at: Clock.now()) }
        let names = profiles.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let notification = DesktopNotification(
            summary: "Sign in again",
            body: profiles.count == 1
                ? "The login of profile \(names) has ended." : "The logins of \(names) have ended.",
            action: "Sign in")
        switch notification.show(within: Self.patience) {
        case .unavailable(let reason):
            for key in keys { note.forget(key) }
            throw Complaint(
                "\(complaint.message); no notification could be shown: \(reason)", hint: complaint.hint,
                exitCode: complaint.exitCode)
        case .ignored: return .loginRequired
        case .accepted:
            for profile in profiles {
                // Who asks for it has not abandoned it.
                AbandonedLogin.forget(SessionKey(profile))
                try ProcessRenewal().login(profile: profile.name)
            }
            for key in keys { note.forget(key) }
            return .success
        }
    }

    private static func hasTerminal() -> Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}
