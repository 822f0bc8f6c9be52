import Configuration
import HelperCommands
import Keyring
import Login
import OpenIDConnect
import Program
import SessionStore

/// Renews every login that is due, ahead of its expiry, and asks nobody for anything: what the timer runs.
struct BackgroundRefresh {
    /// A token that lives for no longer than this is renewed, in seconds: twice the timer's pause.
    private static let ahead = 600

    /// Profiles whose person has to sign in again.
    private var needed: [Profile] = []
    /// The first failure that is not for the person's eyes now.
    private var failure: Complaint?

    /// - Returns: 0, also when the keyring is locked or not there; 77 when a login is needed; else the first failure's.
    static func run() throws(Complaint) -> ExitCode {
        let desk = try Desk(mayPrompt: false)
        var refresh = BackgroundRefresh()
        for name in desk.configuration.profileNames {
            guard try refresh.renew(name, desk) else { break }
        }
        if let failure = refresh.failure {
            StandardStream.writeError(failure.lines(program: "mojoauth-credential"))
        }
        if !refresh.needed.isEmpty { return try LoginRequest(profiles: refresh.needed).make() }
        return refresh.failure?.exitCode ?? .success
    }

    /// - Returns: false when there is no keyring that could be used without asking.
    private mutating func renew(_ name: String, _ desk: Desk) throws(Complaint) -> Bool {
        let profile: Profile
        do throws(Complaint) {
            profile = try desk.profile(name)
        } catch {
            failure = failure ?? error
            return true
        }
        do throws(Complaint) {
            guard let state = try find(profile, desk) else { return true }
            guard !isOver(state, profile) else {
                needed.append(profile)
                return true
            }
            guard state.refreshToken != nil else { return true }
            for target in targets(of: state, desk.entries(of: profile)) {
                let outcome = try ProcessRenewal(mayPrompt: false).refresh(
                    profile: name, target: target, .stale(minimumLifetime: Self.ahead))
                if let unsaved = outcome.unsaved { failure = failure ?? Complaint(unsaved) }
            }
        } catch {
            switch error.exitCode {
            case .keyringUnavailable where isQuiet: return false
            case .loginRequired: needed.append(profile)
            default: failure = failure ?? error
            }
        }
        return true
    }

    /// The login's own token, and those of other audiences that hosts have had from it and are still configured to have.
    private func targets(of state: AuthState, _ hosts: [HostEntry]) -> [TokenTarget] {
        hosts.map(\.tokenTarget).reduce(into: [.standard]) { targets, target in
            let isKept = target.isIDToken ? state.storedIDToken != nil : state.storedTargetTokens[target] != nil
            if isKept, !targets.contains(target) { targets.append(target) }
        }
    }

    /// Set when the keyring is locked or there is none: nobody is at this desktop, and that is no fault.
    private var isQuiet = false

    private mutating func find(_ profile: Profile, _ desk: Desk) throws(Complaint) -> AuthState? {
        do throws(SessionStoreError) {
            return try desk.store.find(SessionKey(profile))
        } catch {
            switch error {
            case .keyring(.locked), .keyring(.noBus), .keyring(.busUnreachable), .keyring(.noService): isQuiet = true
            case .newerVersion, .damaged:
                // It has not ended: what is to be done about it is more than to sign in.
                failure = failure ?? Complaint(error)
                return nil
            default: break
            }
            throw Complaint(error)
        }
    }

    /// Only the person can bring it back.
    private func isOver(_ state: AuthState, _ profile: Profile) -> Bool {
        if !state.isAuthorized || state.exceedsSession(profile.maximumSession, at: Clock.now()) { return true }
        return state.refreshToken == nil && !state.isUsable(at: Clock.now())
    }
}
