import Keyring
import OpenIDConnect
import Program
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
        guard let stored = try stored(key.attributes(.authState)) else {
            Steps.note("the keyring has no login of profile \"\(key.profile)\"")
            return nil
        }
        do throws(AuthStateCoding.Failure) {
            let state = try AuthStateCoding.decode(stored)
            Steps.note("the keyring has the login of profile \"\(key.profile)\": \(state.holdings)")
            return state
        } catch {
            throw Self.storeError(error, key)
        }
    }

    /// Is a login kept under the key? A locked one counts and stays locked; only a keyring that may hide it is unlocked.
    package func keepsLogin(_ key: SessionKey) throws(SessionStoreError) -> Bool {
        do throws(KeyringError) {
            if try !client.search(key.attributes(.authState)).isEmpty { return true }
            guard try client.unlockWhatHidesItems() else { return false }
            return try !client.search(key.attributes(.authState)).isEmpty
        } catch {
            throw .keyring(error)
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
    /// - Returns: whether a damaged one was kept aside.
    @discardableResult
    package func save(
        _ state: AuthState, _ key: SessionKey, in collection: Collection, moves: Bool = false
    ) throws(SessionStoreError) -> Bool {
        let damaged = try damagedStates(key)
        for secret in damaged { try keepAside(secret, key, in: collection) }
        try keep(AuthStateCoding.encode(state), key, .authState, in: collection, moves: moves)
        Steps.note("stored the login of profile \"\(key.profile)\": \(state.holdings)")
        return !damaged.isEmpty
    }

    /// Could a login be kept here, in place of what is there?
    ///
    /// - Throws: ``SessionStoreError/newerVersion(_:profile:)``, or that the keyring cannot be read.
    package func checkReplaceable(_ key: SessionKey) throws(SessionStoreError) {
        _ = try damagedStates(key)
    }

    /// Can what lies under the key be removed without force?
    ///
    /// - Throws: ``SessionStoreError/newerVersion(_:profile:)`` or ``SessionStoreError/damaged(profile:)`` if any of it
    ///   cannot be read, or that the keyring cannot.
    package func checkRemovable(_ key: SessionKey) throws(SessionStoreError) {
        if try !damagedStates(key).isEmpty { throw .damaged(profile: key.profile) }
    }

    /// The item in which a login would be changed, found ahead for ``save(_:_:at:in:)``; nil when there are none or
    /// several.
    package func item(of key: SessionKey) throws(SessionStoreError) -> Item? {
        do throws(KeyringError) {
            let items = try client.itemsToChange(attributes: key.attributes(.authState), schema: Self.schema)
            return items.count == 1 ? items[0] : nil
        } catch {
            throw .keyring(error)
        }
    }

    /// Keeps a login by a single call, where it was read from and the lock has been held since: between the issuer's
    /// rotation and this call a login can be lost.
    ///
    /// - Parameter item: nil, or one that has gone: it is kept as by ``save(_:_:in:moves:)``.
    package func save(
        _ state: AuthState, _ key: SessionKey, at item: Item?, in collection: Collection
    ) throws(SessionStoreError) {
        var isKept = false
        if let item {
            do throws(KeyringError) {
                isKept = try client.update(item, secret: AuthStateCoding.encode(state))
            } catch {
                switch error {
                // The whole way may ask the person to unlock.
                case .locked, .refused: break
                // Whoever does not answer is not asked twice.
                default: throw .keyring(error)
                }
            }
        }
        guard isKept else {
            try save(state, key, in: collection)
            return
        }
        Steps.note("stored the login of profile \"\(key.profile)\": \(state.holdings)")
    }

    /// Removes a login.
    ///
    /// - Parameters:
    ///   - force: also one of a newer version or a damaged one, and what was kept aside.
    /// - Returns: whether there was one.
    package func clear(_ key: SessionKey, force: Bool = false) throws(SessionStoreError) -> Bool {
        if !force { try checkRemovable(key) }
        var removed = false
        for kind in force ? [SessionKey.Kind.authState, .damagedAuthState] : [.authState] {
            do throws(KeyringError) {
                for item in try items(key.attributes(kind)) {
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
        try stored(key.attributes(.clientSecret))
    }

    package func saveClientSecret(_ secret: Secret, _ key: SessionKey) throws(SessionStoreError) {
        do throws(KeyringError) {
            // The one before may be hidden, and would stay beside it.
            try client.prepareToStore()
        } catch {
            throw .keyring(error)
        }
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

    /// Items with these attributes, unlocked. There are none only where a locked keyring hides none either: nobody is
    /// told that they are not signed in, or sent to the issuer, for that.
    private func items(
        _ attributes: [String: String], for purpose: SearchPurpose = .looking
    ) throws(KeyringError) -> [Item] {
        let found = try client.searchUnlocked(attributes, for: purpose)
        guard found.isEmpty, try client.unlockWhatHidesItems() else { return found }
        return try client.searchUnlocked(attributes, for: purpose)
    }

    /// The secret of the first item that still exists when it is asked for; the search is made once more when one went
    /// away in between.
    private func stored(_ attributes: [String: String]) throws(SessionStoreError) -> Secret? {
        do throws(KeyringError) {
            for _ in 0..<2 {
                let items = try items(attributes, for: .reading)
                if items.isEmpty { return nil }
                for item in items {
                    if let secret = try client.secret(of: item) { return secret }
                }
            }
            return nil
        } catch {
            throw .keyring(error)
        }
    }

    /// What lies under the key of a login and cannot be read. All that lies there is looked at: a login may have come
    /// twice, from a copied keyring or from two collections.
    ///
    /// - Throws: ``SessionStoreError/newerVersion(_:profile:)`` if anything there is.
    private func damagedStates(_ key: SessionKey) throws(SessionStoreError) -> [Secret] {
        var secrets: [Secret] = []
        do throws(KeyringError) {
            for item in try items(key.attributes(.authState)) {
                if let secret = try client.secret(of: item) { secrets.append(secret) }
            }
        } catch {
            throw .keyring(error)
        }
        var damaged: [Secret] = []
        for secret in secrets {
            do throws(AuthStateCoding.Failure) {
                _ = try AuthStateCoding.decode(secret)
            } catch {
                guard error == .damaged else { throw Self.storeError(error, key) }
                damaged.append(secret)
            }
        }
        return damaged
    }

    /// In an item of its own: what was kept aside before stays as well.
    private func keepAside(
        _ secret: Secret, _ key: SessionKey, in collection: Collection
    ) throws(SessionStoreError) {
        let attributes = key.attributes(.damagedAuthState)
        do throws(KeyringError) {
            for item in try client.searchUnlocked(attributes) where try client.secret(of: item) == secret { return }
            try client.add(
                secret, attributes: attributes, schema: Self.schema, label: Self.label(key), in: collection)
        } catch {
            throw .keyring(error)
        }
    }

    private func keep(
        _ secret: Secret, _ key: SessionKey, _ kind: SessionKey.Kind, in collection: Collection, moves: Bool = false
    ) throws(SessionStoreError) {
        do throws(KeyringError) {
            try client.store(
                secret, attributes: key.attributes(kind), schema: Self.schema, label: Self.label(key),
                in: collection, moves: moves)
        } catch {
            throw .keyring(error)
        }
    }

    private static func label(_ key: SessionKey) -> String {
        "MojoAuth login: \(DisplayText.clean(key.profile)) (\(WebURL(key.issuer)?.origin.authority ?? "?"))"
    }

    private static func storeError(_ failure: AuthStateCoding.Failure, _ key: SessionKey) -> SessionStoreError {
        switch failure {
        case .newerVersion(let version): .newerVersion(version, profile: key.profile)
        case .damaged: .damaged(profile: key.profile)
        }
    }
}

extension AuthState {
    /// What there is, in words.
    fileprivate var holdings: String {
        if let authorizationError { return "ended by \(authorizationError.code)" }
        let parts = [
            storedAccessToken.map {
                "an access token until \($0.expiresAt)" + (needsRefresh ? ", refused by a host" : "")
            },
            refreshToken.map { _ in "a refresh token" }, storedIDToken.map { _ in "an ID token" },
            storedTargetTokens.isEmpty ? nil : "tokens of \(storedTargetTokens.count) targets",
        ].compactMap(\.self)
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}
