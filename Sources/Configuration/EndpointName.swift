/// An endpoint of the provider that a profile may name itself, by the key `NAME-endpoint`.
package enum EndpointName: String, Sendable, Hashable, CaseIterable {
    case authorization
    case token
    case userinfo
    case jwks
    case revocation
    case endSession = "end-session"
    case deviceAuthorization = "device-authorization"

    /// The profile key: `end-session-endpoint`.
    package var key: String { rawValue + "-endpoint" }
}
