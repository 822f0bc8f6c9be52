/// An item of a collection, by its object path. It may be gone by the time it is used.
package struct Item: Sendable, Hashable {
    package let path: String
    /// As the search found it.
    package let isLocked: Bool
}

/// Where an item is kept.
package enum Collection: Sendable, Equatable {
    /// The one that the alias `default` names.
    case `default`
    /// In the daemon's memory alone: gone with the desktop session.
    case session
}
