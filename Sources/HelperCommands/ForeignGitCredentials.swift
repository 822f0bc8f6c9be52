import HelperProtocol
import Keyring
import Program
import Sensitive
import SessionStore

/// Git credentials of hosts that no entry names: a plain store, in the items that git-credential-libsecret keeps.
/// Credentials with an authtype, which it does not keep, lie in items of our own.
struct ForeignGitCredentials {
    let client: SecretServiceClient

    /// - Parameter typed: look for credentials with an authtype first.
    func find(_ pattern: GitCredential, typed: Bool) throws(KeyringError) -> GitCredential? {
        let items = try items(for: pattern, typed: typed)
        if typed, let found = try matches(typed: client.unlocked(items.typed), pattern).first {
            return found.credential
        }
        let found = try matches(plain: client.unlocked(items.plain), pattern, withSecrets: true)
        guard let first = found.first else { return nil }
        // Two helpers may have kept one credential, each under a schema of its own: the newer one is the good one.
        let twins = found.filter { $0.credential.hasAddress(of: first.credential) }
        guard twins.count > 1 else { return first.credential }
        var newest = (credential: first.credential, time: UInt64(0))
        for twin in twins {
            let time = try client.modified(twin.item) ?? 0
            // Times have whole seconds; within one, it is git's newer helper that keeps an item beside another's.
            let isLater = time > newest.time || (time == newest.time && twin.schema != GitStoredItem.schemaName)
            if isLater { newest = (twin.credential, time) }
        }
        return newest.credential
    }

    /// - Returns: false when a value is not UTF-8, which the bus cannot carry.
    func store(_ credential: GitCredential) throws(KeyringError) -> Bool {
        if credential.authtype != nil, credential.credential != nil {
            guard let attributes = GitTypedItem.attributes(for: credential),
                let secret = GitTypedItem.secret(for: credential)
            else { return false }
            try client.store(
                secret, attributes: attributes, schema: SessionStore.schema,
                label: DisplayText.clean(GitTypedItem.label(for: credential)))
            return true
        }
        guard let attributes = GitStoredItem.attributes(for: credential),
            let secret = GitStoredItem.secret(for: credential)
        else { return false }
        try client.store(
            secret, attributes: attributes, schema: GitStoredItem.schemaName,
            otherSchemas: GitStoredItem.schemaNames, label: DisplayText.clean(GitStoredItem.label(for: credential)))
        return true
    }

    func erase(_ pattern: GitCredential) throws(KeyringError) {
        // Secrets are read only where one was sent to compare with.
        let compares = pattern.password != nil || pattern.credential != nil
        let items = try items(for: pattern, typed: true)
        for found in try matches(plain: client.unlocked(items.plain), pattern, withSecrets: compares)
        where pattern.erases(found.credential) {
            try client.delete(found.item)
        }
        for found in try matches(typed: client.unlocked(items.typed), pattern) where pattern.erases(found.credential) {
            try client.delete(found.item)
        }
    }

    private typealias Found = (item: Item, credential: GitCredential, schema: String)

    /// What may hold a match: the items of git's own helpers, and ours. Either may lie in a keyring that is locked.
    private func items(
        for pattern: GitCredential, typed: Bool
    ) throws(KeyringError) -> (plain: [Item], typed: [Item]) {
        guard let plain = GitStoredItem.attributes(for: pattern) else { return ([], []) }
        guard typed, let typed = GitTypedItem.searchAttributes(for: pattern) else {
            return (try client.search(plain), [])
        }
        let found = try client.search(forEach: [plain, typed])
        return (found[0], found[1])
    }

    private func matches(
        plain items: [Item], _ pattern: GitCredential, withSecrets: Bool
    ) throws(KeyringError) -> [Found] {
        var result: [Found] = []
        for item in items {
            // The search goes by attributes alone; another program's item may carry them, too.
            guard let attributes = try client.attributes(of: item), let schema = attributes["xdg:schema"],
                GitStoredItem.schemaNames.contains(schema),
                pattern.matches(GitStoredItem.credential(attributes: attributes, secret: nil))
            else { continue }
            var secret: Secret?
            if withSecrets {
                secret = try client.secret(of: item)
                if secret == nil { continue }
            }
            result.append((item, GitStoredItem.credential(attributes: attributes, secret: secret), schema))
        }
        return result
    }

    private func matches(typed items: [Item], _ pattern: GitCredential) throws(KeyringError) -> [Found] {
        var result: [Found] = []
        for item in items {
            guard let secret = try client.secret(of: item), let found = GitTypedItem.credential(secret: secret),
                pattern.matches(found)
            else { continue }
            result.append((item, found, SessionStore.schema))
        }
        return result
    }
}
