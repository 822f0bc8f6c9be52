/// The group `[defaults]`.
package struct Defaults: Sendable, Equatable {
    /// What becomes of credentials for hosts that no entry names.
    package enum Foreign: String, Sendable, CaseIterable {
        /// A plain store in the keyring.
        case keep
        /// Nothing is found, nothing is stored.
        case ignore
    }

    /// How secrets cross the session bus.
    package enum BusSession: String, Sendable, CaseIterable {
        case encrypted
        case plain
    }

    package var foreign = Foreign.keep
    package var busSession = BusSession.encrypted

    package init() {}

    init(_ group: GroupReader) throws(ConfigurationError) {
        foreign = try group.choice("foreign") ?? .keep
        busSession = try group.choice("bus-session") ?? .encrypted
    }

    static let keys: Set<String> = ["foreign", "bus-session"]
}
