/// Why the keyring did not do what was asked. None of these says that something is not stored: that is nil.
package enum KeyringError: Error, Sendable, Equatable {
    /// Nothing names a session bus.
    case noBus
    case busUnreachable(address: String, reason: String)
    /// The bus knows no Secret Service, or cannot start it.
    case noService(reason: String)
    /// Locked, and a prompt was not allowed.
    case locked
    /// Locked, and the prompt was dismissed or could not be shown.
    case promptDismissed
    /// No collection is the default one, and none was made.
    case noDefaultCollection
    /// No answer within the limit, in seconds.
    case timedOut(seconds: Double, whilePrompting: Bool)
    /// The service went away in the middle of a call.
    case serviceVanished
    /// The service refused for a reason of its own.
    case refused(reason: String)
}

extension KeyringError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noBus: "no session bus"
        case .busUnreachable(let address, let reason): "session bus unreachable at \(address): \(reason)"
        case .noService(let reason): "no Secret Service on the session bus: \(reason)"
        case .locked: "the keyring is locked"
        case .promptDismissed: "the keyring is locked, and its prompt was dismissed or could not be shown"
        case .noDefaultCollection: "the keyring has no default collection"
        case .timedOut(let seconds, let whilePrompting):
            whilePrompting
                ? "the keyring's prompt was not answered within \(Int(seconds)) seconds"
                : "the keyring did not answer within \(Int(seconds)) seconds"
        case .serviceVanished: "the keyring service went away during the call"
        case .refused(let reason): "the keyring refused: \(reason)"
        }
    }
}
