import Keyring
import OpenIDConnect
import Sensitive
import WebAddress

/// Logins in the keyring, one item a login.
package struct SessionStore {
    package static let application = "mojoauth-credential"
    package static let schema = "com.mojoauth.Credential"

    package let client: SecretServiceClient

    package init(client: SecretServiceClient) {
        self.client = client
    }

    /// The login under a key; nil when there is none.
    package func find(_ key: SessionKey) throws(SessionStoreError) -> AuthState? {
        guard let stored = try stored(key.attributes(.authState)) else { return nil }
        do throws(AuthStateCoding.Failure) {
            return try AuthStateCoding.decode(stored.secret)
        } catch {
            throw Self.storeError(error, key)
        }
    }

    /// The collection that a login lies in, told without unlocking anything; nil when there is none.
    package func place(of key: SessionKey) throws(SessionStoreError) -> CollectionFacts? {
        do throws(KeyringError) {
            guard let item = try client.search(key.attributes(.authState)).first else { return nil }
            return try client.collection(of: item)
        } catch {
            throw .keyring(error)
        }
    }

    /// Keeps a login, in place of the one that was there. One of a newer version is refused; a damaged one is first
    /// kept aside.
    ///
    /// - Parameters:
    ///   - collection: where it is kept if there was none.
    ///   - moves: take it there also if it was kept elsewhere.
    package func save(
        _ state: AuthState, _ key: SessionKey, in collection: Collection, moves: Bool = false
    ) throws(SessionStoreError) {
        if let stored = try stored(key.attributes(.authState)) {
            do throws(AuthStateCoding.Failure) {
                _ = try AuthStateCoding.decode(stored.secret)
            } catch {
                guard error == .damaged else { throw Self.storeError(error, key) }
                try keep(stored.secret, key, .damagedAuthState, in: collection)
            }
        }
        try keep(AuthStateCoding.encode(state), key, .authState, in: collection, moves: moves)
    }

    /// Removes a login.
    ///
    /// - Parameters:
    ///   - force: also one of a newer version or a damaged one, and what was kept aside.
    /// - Returns: whether there was one.
    package func clear(_ key: SessionKey, force: Bool = false) throws(SessionStoreError) -> Bool {
        if !force { _ = try find(key) }
        var removed = false
        for kind in force ? [SessionKey.Kind.authState, .damagedAuthState] : [.authState] {
            do throws(KeyringError) {
                for item in try client.searchUnlocked(key.attributes(kind)) {
                    try client.delete(item)
                    removed = true
                }
            } catch {
                throw .keyring(error)
            }
        }
        return removed
    }

    /// The client secret of a profile that needs one.
    package func clientSecret(_ key: SessionKey) throws(SessionStoreError) -> Secret? {
        try stored(key.attributes(.clientSecret))?.secret
    }

    package func saveClientSecret(_ secret: Secret, _ key: SessionKey) throws(SessionStoreError) {
        try keep(secret, key, .clientSecret, in: .default)
    }

    /// The keys of all logins in the keyring, each once.
    ///
    /// - Parameters:
    ///   - kinds: what else than a login counts.
    ///   - unlocking: also of locked ones, which the person is asked to unlock; else they are left out.
    package func keys(
        _ kinds: [SessionKey.Kind] = [.authState], unlocking: Bool = false
    ) throws(SessionStoreError) -> [SessionKey] {
        do throws(KeyringError) {
            var found: [SessionKey] = []
            for kind in kinds {
                let asked = ["application": Self.application, "kind": kind.rawValue]
                for item in unlocking ? try client.searchUnlocked(asked) : try client.search(asked)
                where !item.isLocked {
                    guard let attributes = try client.attributes(of: item), let profile = attributes["profile"],
                        let issuer = attributes["issuer"], let clientID = attributes["client_id"]
                    else { continue }
                    let key = SessionKey(profile: profile, issuer: issuer, clientID: clientID)
                    if !found.contains(key) { found.append(key) }
                }
            }
            return found
        } catch {
            throw .keyring(error)
        }
    }

    /// The first item that still exists when its secret is asked for; the search is made once more when one went away
    /// in between.
    private func stored(_ attributes: [String: String]) throws(SessionStoreError) -> (item: Item, secret: Secret)? {
        do throws(KeyringError) {
            for _ in 0..<2 {
                let items = try client.searchUnlocked(attributes)
                if items.isEmpty { return nil }
                for item in items {
                    if let secret = try client.secret(of: item) { return (item, secret) }
                }
            }
            return nil
        } catch {
            throw .keyring(error)
        }
    }

    private func keep(
        _ secret: Secret, _ key: SessionKey, _ kind: SessionKey.Kind, in collection: Collection, moves: Bool = false
    ) throws(SessionStoreError) {
        let host = WebURL(key.issuer)?.origin.authority ?? "?"
        do throws(KeyringError) {
            try client.store(
                secret, attributes: key.attributes(kind), schema: Self.schema,
                label: "MojoAuth login: \(key.profile) (\(host))", in: collection, moves: moves)
        } catch {
            throw .keyring(error)
        }
    }

    private static func storeError(_ failure: AuthStateCoding.Failure, _ key: SessionKey) -> SessionStoreError {
        switch failure {
        case .newerVersion(let version): .newerVersion(version, profile: key.profile)
        case .damaged: .damaged(profile: key.profile)
        }
    }
}
