import Sensitive

/// What git writes to a helper: a description of a credential, and what git itself can do.
package struct GitRequest: Sendable, Equatable {
    package var credential = GitCredential()
    package var capabilities: GitCapabilities = []
    /// `wwwauth[]`: the server's challenges, in order. Opaque, whatever they look like.
    package var challenges: [[UInt8]] = []
    /// `state[]`: what helpers handed out in an earlier round, ours and others'.
    package var states: [[UInt8]] = []
    /// `continue`: this is a further round of one authentication.
    package var isContinued = false

    package init() {}

    /// Larger requests are refused: far more than any server's challenges, far less than memory.
    package static var maximumSize: Int { 16 << 20 }

    /// What our own state starts with: the states of all helpers come in one list.
    static let statePrefix = Array("mojoauth:".utf8)

    /// The state that we handed out, without its prefix; nil when there is none.
    package var ownState: String? {
        guard let state = states.first(where: { $0.starts(with: Self.statePrefix) }) else { return nil }
        return String(validating: state.dropFirst(Self.statePrefix.count), as: UTF8.self)
    }
}
