import Configuration
import HelperCommands
import Program
import SessionStore

/// Asks a person to sign in when no command of theirs is waiting: one line at a terminal, else one notification of the
/// desktop's, at most one in ten minutes.
struct LoginRequest {
    enum Occasion {
        /// Found by the timer.
        case loginEnded
        /// A helper had no token to give, and nobody reads its lines.
        case helperRefused
    }

    /// In the order of the configuration; never empty.
    let profiles: [Profile]
    var occasion = Occasion.loginEnded

    /// How long the notification's button is waited for, in seconds.
    private static let patience = 600.0

    /// - Returns: 0 when the person has signed in, else 77.
    func make() throws(Complaint) -> ExitCode {
        let complaint = Complaint.loginRequired(
            profile: profiles[0].name,
            because: occasion == .loginEnded ? "the login has ended" : "a program needs the login")
        guard !ControllingTerminal.isThere else { throw complaint }
        let note = LoginNote.notified
        // Noted before it is shown: two at once show one. Of those that were told already nothing is said.
        let profiles = profiles.filter { note.claim(SessionKey($0), at: Clock.now()) }
        guard !profiles.isEmpty else { return .loginRequired }
        let keys = profiles.map { SessionKey($0) }
        switch notification(of: profiles).show(within: Self.patience) {
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
                if occasion == .loginEnded, SignInUnit.isNeeded {
                    try SignInUnit.logIn(profile: profile.name)
                } else {
                    try ProcessRenewal().login(profile: profile.name)
                }
            }
            for key in keys { note.forget(key) }
            return .success
        }
    }

    private func notification(of profiles: [Profile]) -> DesktopNotification {
        let names = profiles.map { "\"\($0.name)\"" }.joined(separator: ", ")
        switch occasion {
        case .helperRefused:
            return DesktopNotification(
                summary: "Sign in", body: "A program needs the login of profile \(names).", action: "Sign in")
        case .loginEnded:
            return DesktopNotification(
                summary: "Sign in again",
                body: profiles.count == 1
                    ? "The login of profile \(names) has ended." : "The logins of \(names) have ended.",
                action: "Sign in")
        }
    }
}
