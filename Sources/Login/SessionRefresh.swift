import Configuration
import Keyring
import OpenIDConnect
import Program
import SessionStore

/// Renews a stored login: one process at a time, saved before anybody sees the new token.
package struct SessionRefresh {
    /// When a refresh is worth a token request.
    package enum Need: Sendable, Equatable {
        /// In any case.
        case always
        /// Unless the token lives on for longer than these seconds, or another process renewed it meanwhile.
        case stale(minimumLifetime: Int)
        /// Only in the last fifth of the token's life.
        case ageing
    }

    package struct Outcome: Sendable {
        /// As it is now.
        package var state: AuthState
        /// Why the new state could not be stored: it is good for this one use.
        package var unsaved: SessionStoreError?
    }

    package enum Failure: Error, Sendable, Equatable {
        case notLoggedIn
        /// An earlier refresh was refused for good.
        case ended(AuthState.AuthorizationError)
        case store(SessionStoreError)
        /// The login is older than the profile's max-session.
        case tooOld
        /// With why the state that came of it all the same could not be stored: a spent refresh token is left.
        case issuer(LoginError, unsaved: SessionStoreError?)
    }

    /// How long to wait for another process that is at it; it has the same limits on the issuer as we have.
    private static let patience = 25.0

    private let key: SessionKey
    private let collection: Collection
    private let maximumSession: Int?
    private let store: SessionStore
    private let target: TokenTarget
    private let refresh: (AuthState) -> Refresher.Outcome
    private let now: () -> NumericDate

    /// - Parameters:
    ///   - target: which of the login's tokens is renewed.
    ///   - refresh: sends the token request.
    package init(
        profile: Profile, target: TokenTarget = .standard, store: SessionStore,
        now: @escaping () -> NumericDate = Clock.now, refresh: @escaping (AuthState) -> Refresher.Outcome
    ) {
        key = SessionKey(profile)
        maximumSession = profile.maximumSession
        collection = profile.isEphemeral ? .session : .default
        self.store = store
        self.target = target
        self.refresh = refresh
        self.now = now
    }

    package func run(_ need: Need) throws(Failure) -> Outcome {
        let start = now()
        // A keyring that does not answer, or asks a person, is met before the lock: others would wait in line for it.
        guard try find() != nil else { throw .notLoggedIn }
        let lock = try acquireLock()
        defer { withExtendedLifetime(lock) {} }

        // Read again inside the lock: whoever held it before us may have renewed the token. Having read it also proves
        // that the collection is unlocked, so that what the issuer rotates can be kept.
        guard let state = try find() else { throw .notLoggedIn }
        if let error = state.authorizationError { throw .ended(error) }
        guard !state.exceedsSession(maximumSession, at: now()) else { throw .tooOld }
        guard isNeeded(need, state, since: start) else {
            Steps.note("no refresh is needed")
            return Outcome(state: state)
        }

        // All that can be done before the issuer rotates is: what is left then is one call.
        let item = try findItem()

        // From sending to saving nothing that can be held off ends this process: the old refresh token may be spent.
        let hold = SignalHold()
        defer { hold.release() }
        let outcome = refresh(state)
        if !outcome.state.isAuthorized, let newer = replacement(of: state) { return Outcome(state: newer) }
        let unsaved = outcome.state == state ? nil : save(outcome.state, at: item)
        if let error = outcome.error { throw .issuer(error, unsaved: unsaved) }
        return Outcome(state: outcome.state, unsaved: unsaved)
    }

    private func isNeeded(_ need: Need, _ state: AuthState, since start: NumericDate) -> Bool {
        switch need {
        case .always: true
        case .stale(let minimumLifetime):
            !state.isFresh(at: now(), minimumLifetime: minimumLifetime, for: target)
                && !state.wasRenewed(since: start, at: now(), for: target)
        case .ageing: state.shouldRenewAhead(at: now(), for: target)
        }
    }

    private func acquireLock() throws(Failure) -> SessionLock {
        do throws(SessionStoreError) {
            return try SessionLock.acquire(key, .refresh, within: Self.patience)
        } catch {
            throw .store(error)
        }
    }

    private func find() throws(Failure) -> AuthState? {
        do throws(SessionStoreError) {
            return try store.find(key)
        } catch {
            throw .store(error)
        }
    }

    /// The login that has taken the place of the one whose refresh token was refused; nil when none has.
    private func replacement(of refused: AuthState) -> AuthState? {
        guard let stored = try? find(), stored.isAuthorized, stored.refreshToken != refused.refreshToken else {
            return nil
        }
        return stored
    }

    private func findItem() throws(Failure) -> Item? {
        do throws(SessionStoreError) {
            return try store.item(of: key)
        } catch {
            throw .store(error)
        }
    }

    private func save(_ state: AuthState, at item: Item?) -> SessionStoreError? {
        do throws(SessionStoreError) {
            try store.save(state, key, at: item, in: collection)
            return nil
        } catch {
            return error
        }
    }
}
