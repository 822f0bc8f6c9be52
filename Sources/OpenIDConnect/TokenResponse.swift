import JSON
import Sensitive

/// A successful answer of the token endpoint (RFC 6749 section 5.1, OpenID Connect Core section 3.1.3.3), checked.
package struct TokenResponse: Sendable, Equatable {
    package var accessToken: Secret
    package var receivedAt: NumericDate
    package var expiresAt: NumericDate
    package var refreshToken: Secret?
    package var idToken: Secret?
    package var scope: String?

    /// How long a token lives whose expiry nobody tells: never "for ever".
    package static let lifetimeWhenUnknown = 300
    /// Longer than this (ten years) is a unit mistaken for another, not a lifetime.
    package static let longestLifetime = 315_360_000

    package init(_ body: JSONObject, receivedAt now: NumericDate) throws(TokenResponseError) {
        guard let token = body["access_token"]?.string, !token.isEmpty else { throw .missingAccessToken }
        // Compared without case (RFC 6749 section 5.1); a DPoP or mac token cannot pass through git or docker.
        guard let type = body["token_type"]?.string else { throw .missingTokenType }
        guard type.lowercased() == "bearer" else { throw .unusableTokenType(type) }
        guard Self.isHeaderSafe(token) else { throw .malformed("access_token") }
        accessToken = Secret(token)
        receivedAt = now
        expiresAt = try Self.expiry(body["expires_in"], token: token, now: now)
        refreshToken = try Self.optionalText(body, "refresh_token").map { Secret($0) }
        idToken = try Self.optionalText(body, "id_token").map { Secret($0) }
        scope = try Self.optionalText(body, "scope")
    }

    /// An empty text says as little as none.
    private static func optionalText(_ body: JSONObject, _ name: String) throws(TokenResponseError) -> String? {
        switch body[name] {
        case nil, .null, .string("")?: return nil
        case .string(let text)?: return text
        default: throw .malformed(name)
        }
    }

    /// A token goes into an HTTP header and a line of git's: visible ASCII alone.
    private static func isHeaderSafe(_ token: String) -> Bool {
        token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// `expires_in` as a number, a numeric string or the older API's date-time; else the token's own `exp`; else
    /// ``lifetimeWhenUnknown``.
    private static func expiry(
        _ value: JSONValue?, token: String, now: NumericDate
    ) throws(TokenResponseError) -> NumericDate {
        let lifetime: Int
        switch value {
        case nil, .null:
            let own = CompactJWT(token)?.claims["exp"]?.number.flatMap { Int(exactly: $0.rounded(.down)) }
            // The number may be anything; an overflow wraps to one that is refused below.
            lifetime = own.map { $0.subtractingReportingOverflow(now).partialValue } ?? lifetimeWhenUnknown
        case .string(let text)?:
            if let seconds = Int(text) {
                lifetime = seconds
            } else if let date = RFC3339.parse(text) {
                lifetime = date - now
            } else {
                throw .malformed("expires_in")
            }
        case let number?:
            guard let seconds = number.number.flatMap({ Int(exactly: $0.rounded(.down)) }) else {
                throw .malformed("expires_in")
            }
            lifetime = seconds
        }
        guard (0...longestLifetime).contains(lifetime) else { throw .impossibleLifetime(lifetime) }
        return now + lifetime
    }
}
