/// The issuer's endpoints, at the paths that MojoAuth uses, and where a fault can strike.
package enum Endpoint: String, Sendable, CaseIterable {
    case metadata = "/.well-known/openid-configuration"
    case authorization = "/oauth/authorize"
    case token = "/oauth2/token"
    case keys = "/.well-known/jwks.json"
    case userinfo = "/oauth/userinfo"
    case logout = "/oauth/logout"
    case device = "/oauth2/device"
    case revocation = "/oauth2/revoke"
    case introspection = "/oauth2/introspect"
    /// Requests that bring credentials.
    case git = "/git/"

    /// Its name in the list of faults.
    var title: String {
        switch self {
        case .metadata: "metadata"
        case .authorization: "authorization"
        case .token: "token"
        case .keys: "keys"
        case .userinfo: "userinfo"
        case .logout: "logout"
        case .device: "device"
        case .revocation: "revocation"
        case .introspection: "introspection"
        case .git: "git"
        }
    }

    /// Its name in the provider metadata; nil for what is not announced there.
    var metadataName: String? {
        switch self {
        case .metadata, .git: nil
        case .keys: "jwks_uri"
        case .logout: "end_session_endpoint"
        case .device: "device_authorization_endpoint"
        default: title + "_endpoint"
        }
    }
}
