/// Which token a server is given. Most hosts share the login's own; one that names an audience or a resource gets a token
/// of its own, renewed from the same refresh token; one that wants to know the person gets the ID token.
package struct TokenTarget: Sendable, Hashable {
    package var audience: String?
    /// RFC 8707.
    package var resource: String?
    /// The ID token instead of an access token. It has no audience but the client.
    package private(set) var isIDToken = false

    package init(audience: String? = nil, resource: String? = nil) {
        self.audience = audience
        self.resource = resource
    }

    /// The login's own token.
    package static let standard = TokenTarget()

    /// The login's ID token, which a refresh may bring anew beside the login's own token.
    package static let idToken: TokenTarget = {
        var target = TokenTarget()
        target.isIDToken = true
        return target
    }()

    /// Is what renews it the login's own token request?
    package var isOfLogin: Bool { self == .standard || isIDToken }
}
