import Configuration
import Keyring
import OpenIDConnect
import Program
import Sensitive
import SessionStore

/// A host refused a token of ours: it is marked, so that the next `get` renews it. The refresh token stays.
package struct TokenRejection {
    let store: SessionStore

    /// How long to wait for a process that is renewing the login; what it stores is newer than what was refused.
    private static let patience = 10.0

    package init(store: SessionStore) {
        self.store = store
    }

    /// Does nothing unless `refused` is a token that the login holds now.
    ///
    /// - Returns: the login as it was stored; nil when nothing was changed.
    @discardableResult
    package func reject(_ refused: Secret, of profile: Profile) throws(Complaint) -> AuthState? {
        let key = SessionKey(profile)
        do throws(SessionStoreError) {
            // Compared before the lock is taken: most calls are about a token that is no longer there.
            guard var seen = try store.find(key), seen.reject(refused) else { return nil }
            let lock = try SessionLock.acquire(key, .refresh, within: Self.patience)
            defer { withExtendedLifetime(lock) {} }
            guard var current = try store.find(key), current.reject(refused) else { return nil }
            try store.save(current, key, in: profile.isEphemeral ? .session : .default)
            return current
        } catch {
            throw Complaint(error)
        }
    }
}
