import Configuration
import HelperCommands
import Keyring
import Login
import OpenIDConnect
import Program
import SessionStore

/// Renewal inside this process: what the helpers' child does, and what a person's own commands do.
struct ProcessRenewal: Renewal {
    /// May the person be asked to unlock the keyring for a refresh?
    var mayPrompt = true

    func refresh(profile: String, target: TokenTarget, minimumLifetime: Int) throws(Complaint) -> AuthState {
        let outcome = try refresh(profile: profile, target: target, .stale(minimumLifetime: minimumLifetime))
        if let unsaved = outcome.unsaved { Self.warn(unsaved) }
        return outcome.state
    }

    /// This process has the network loaded: a command that a person runs leaves nothing behind.
    func refreshBehind(profile: String, target: TokenTarget) {}

    /// The command at hand is a person's own, and its lines are read.
    func notifyBehind(profile: String) {}

    /// As the helpers' child does it: of any number of processes one opens a browser, and after a login that was
    /// abandoned none does.
    func login(profile: String) throws(Complaint) {
        var values = LoginCommand.defaults
        values.isForHelper = true
        _ = try LoginCommand.logIn(profile, values)
    }

    func refresh(
        profile name: String, target: TokenTarget, _ need: SessionRefresh.Need
    ) throws(Complaint) -> SessionRefresh.Outcome {
        let desk = try Desk(mayPrompt: mayPrompt)
        let profile = try desk.profile(name)
        // The issuer is set up only when it is asked: most callers find the token renewed by another process.
        var setupFailure: Complaint?
        let refresh = SessionRefresh(profile: profile, target: target, store: desk.store) { state in
            do throws(Complaint) {
                let issuer = try Issuer(profile, desk: desk)
                return Refresher(profile: profile, client: issuer.client, http: issuer.http)
                    .refresh(state, for: target)
            } catch {
                setupFailure = error
                return Refresher.Outcome(state: state, error: .notSaved(error))
            }
        }
        do throws(SessionRefresh.Failure) {
            return try refresh.run(need)
        } catch {
            if case .issuer(_, let unsaved?) = error { Self.warn(unsaved) }
            throw setupFailure ?? Complaint(error, profile: name)
        }
    }

    /// The new token is good for this one use, and the old refresh token may be spent.
    static func warn(_ error: SessionStoreError) {
        let complaint = Complaint(
            "the renewed login could not be stored: \(error.description)",
            hint: "if the next use asks for a login, this is why", exitCode: .keyringUnavailable)
        StandardStream.writeError(complaint.lines(program: "mojoauth-credential"))
    }
}

extension Complaint {
    init(_ failure: SessionRefresh.Failure, profile: String) {
        switch failure {
        case .notLoggedIn: self = .loginRequired(profile: profile)
        case .ended(let error):
            self = .loginRequired(profile: profile, because: "the login has ended: the issuer said \(error.code)")
        case .store(let error): self.init(error)
        case .tooOld:
            self = .loginRequired(profile: profile, because: "the login is older than max-session allows")
        case .issuer(let error, _): self = Complaint(error).naming(profile: profile)
        }
    }
}
