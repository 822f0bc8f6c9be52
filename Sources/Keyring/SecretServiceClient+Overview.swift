import CGLib

/// A collection as it can be seen without asking anybody.
package struct CollectionFacts: Sendable, Equatable {
    package let path: String
    /// What a keyring browser shows; may be empty.
    package let label: String
    package let isLocked: Bool
    /// In the daemon's memory alone.
    package let isEphemeral: Bool
}

/// What can be told of the keyring without a prompt and without unlocking anything.
extension SecretServiceClient {
    /// The collection that the alias `default` names; nil when there is none.
    package func defaultCollectionFacts() throws(KeyringError) -> CollectionFacts? {
        guard let path = try defaultCollection() else { return nil }
        return try facts(ofCollection: path)
    }

    /// The collection that an item lies in; nil when it has gone.
    package func collection(of item: Item) throws(KeyringError) -> CollectionFacts? {
        guard let slash = item.path.lastIndex(of: "/"), slash > item.path.startIndex else { return nil }
        return try facts(ofCollection: String(item.path[..<slash]))
    }

    /// The process that owns the service's name on the bus. It must have been started before, by any call.
    package func providerProcess() throws(KeyringError) -> Int32? {
        let answer = try call(
            "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID",
            NewVariant.tuple(NewVariant.string(Self.busName)), reply: "(u)", to: "org.freedesktop.DBus")
        return answer.flatMap { Int32(exactly: $0.child(0).number32) }
    }

    /// The bus that is used, opened if it is not yet.
    ///
    /// - Returns: its address.
    package func openBus() throws(KeyringError) -> String {
        let address = try SessionBus.locate()
        _ = try connection()
        return address
    }

    private func facts(ofCollection path: String) throws(KeyringError) -> CollectionFacts? {
        guard let isLocked = try property("Locked", of: path, Self.collectionInterface)?.bool else { return nil }
        let label = try property("Label", of: path, Self.collectionInterface)?.string ?? ""
        return CollectionFacts(
            path: path, label: label, isLocked: isLocked,
            isEphemeral: path == Self.servicePath + "/collection/session")
    }
}
