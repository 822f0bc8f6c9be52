/// Which server a token is for. Most hosts share the login's own; one that names an audience or a resource gets a token
/// of its own, renewed from the same refresh token.
package struct TokenTarget: Sendable, Hashable {
    package var audience: String?
    /// RFC 8707.
    package var resource: String?

    package init(audience: String? = nil, resource: String? = nil) {
        self.audience = audience
        self.resource = resource
    }

    /// The login's own token.
    package static let standard = TokenTarget()
}
