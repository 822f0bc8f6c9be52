/// What a search is for. A secret crosses in a session, and one that will be needed is opened while the service searches.
package enum SearchPurpose: Sendable {
    /// For what is there; secrets perhaps later.
    case looking
    /// For a secret to read.
    case reading
    /// For an item to write a secret to.
    case writing
}
