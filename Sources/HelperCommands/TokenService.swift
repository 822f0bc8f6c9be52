import Configuration
import HelperProtocol
import JSON
import OpenIDConnect
import Program
import Sensitive
import SessionStore

/// Serves the token of a login: fresh from the keyring, else renewed, else after a login if one may be opened.
package struct TokenService {
    package typealias Lookup = (SessionKey) throws(SessionStoreError) -> AuthState?

    private let lookup: Lookup
    private let renewal: any Renewal
    private let now: () -> NumericDate

    /// - Parameter lookup: finds a login; nil when there is none.
    package init(renewal: any Renewal, now: @escaping () -> NumericDate = Clock.now, lookup: @escaping Lookup) {
        self.lookup = lookup
        self.renewal = renewal
        self.now = now
    }

    /// - Parameters:
    ///   - minimumLifetime: seconds that the token must still live.
    ///   - mayLogIn: asked only when a login is needed; the complaint that it returns says why none is opened.
    package func token(
        for entry: HostEntry, profile: Profile, minimumLifetime: Int, mayLogIn: () -> Complaint?
    ) throws(Complaint) -> ServedToken {
        let state = try state(of: profile, for: entry, minimumLifetime: minimumLifetime, mayLogIn: mayLogIn)
        return try Self.served(state, entry, profile)
    }

    /// A state whose access token may be handed out.
    ///
    /// - Parameter entry: whose token; nil for the login's own.
    package func state(
        of profile: Profile, for entry: HostEntry? = nil, minimumLifetime: Int, mayLogIn: () -> Complaint?
    ) throws(Complaint) -> AuthState {
        let target = entry?.tokenTarget ?? .standard
        guard let state = try find(profile), state.isAuthorized else {
            return try logIn(profile, target, .loginRequired(profile: profile.name), mayLogIn)
        }
        guard !state.exceedsSession(profile.maximumSession, at: now()) else {
            let reason = "the login is older than max-session allows"
            return try logIn(profile, target, .loginRequired(profile: profile.name, because: reason), mayLogIn)
        }
        if state.isFresh(at: now(), minimumLifetime: minimumLifetime, for: target) {
            if state.shouldRenewAhead(at: now(), for: target) {
                renewal.refreshBehind(profile: profile.name, target: target)
            }
            return state
        }
        if let age = state.ageOfTokenRefusedTwice(at: now(), for: target) { throw .refusedTwice(entry, age: age) }
        guard state.refreshToken != nil else {
            if state.isUsable(at: now(), for: target) { return state }
            if !target.isOfLogin, let entry, state.isUsable(at: now()) { throw .noTokenOfItsOwn(entry) }
            let reason = "the token has expired and the issuer gave no refresh token"
            return try logIn(profile, target, .loginRequired(profile: profile.name, because: reason), mayLogIn)
        }
        do throws(Complaint) {
            return try renew(profile, target, minimumLifetime)
        } catch {
            if error.exitCode == .temporary, state.isUsable(at: now(), for: target) { return state }
            if error.exitCode == .loginRequired { return try logIn(profile, target, error, mayLogIn) }
            throw error
        }
    }

    /// Is this a token of the profile's login? False also when the login cannot be looked at.
    package func holds(_ secret: Secret, profile: Profile) -> Bool {
        (try? find(profile))?.holds(secret) ?? false
    }

    /// Opens a login if that may be done; else the reason why one is needed is the error.
    private func logIn(
        _ profile: Profile, _ target: TokenTarget, _ need: Complaint, _ mayLogIn: () -> Complaint?
    ) throws(Complaint) -> AuthState {
        if let refusal = mayLogIn() {
            // A refusal with a hint has more to say than that there is no login.
            throw Complaint(
                refusal.hint == nil ? need.message : "\(need.message): \(refusal.message)",
                hint: refusal.hint ?? need.hint, exitCode: need.exitCode)
        }
        try renewal.login(profile: profile.name)
        guard let state = try find(profile), state.isAuthorized else { throw need }
        if target == .standard || state.isUsable(at: now(), for: target) { return state }
        return try renew(profile, target, 0)
    }

    /// A refresh need not bring an ID token (OpenID Connect Core section 12.2); an expired one is no credential.
    private func renew(
        _ profile: Profile, _ target: TokenTarget, _ minimumLifetime: Int
    ) throws(Complaint) -> AuthState {
        let state = try renewal.refresh(profile: profile.name, target: target, minimumLifetime: minimumLifetime)
        guard target.isIDToken, !state.isUsable(at: now(), for: target) else { return state }
        throw .loginRequired(
            profile: profile.name, because: "the ID token has expired, and the refresh brought no other")
    }

    private func find(_ profile: Profile) throws(Complaint) -> AuthState? {
        do throws(SessionStoreError) {
            return try lookup(SessionKey(profile))
        } catch {
            throw Complaint(error)
        }
    }

    private static func served(
        _ state: AuthState, _ entry: HostEntry, _ profile: Profile
    ) throws(Complaint) -> ServedToken {
        let target = entry.tokenTarget
        guard let token = state.token(for: target) else {
            guard target.isIDToken else { throw .loginRequired(profile: profile.name) }
            throw Complaint(
                "the login of profile \"\(profile.name)\" has no ID token, which [host \(entry.label)] asks for",
                hint: "log in again, or use token=access", exitCode: .loginRequired)
        }
        return ServedToken(username: entry.username, secret: token.secret, expiresAt: token.expiresAt)
    }
}

extension HostEntry {
    /// An ID token is the login's own, whatever the entry asks of the access token.
    package var tokenTarget: TokenTarget {
        tokenKind == .id ? .idToken : TokenTarget(audience: audience, resource: resource)
    }
}
