import JSON

/// The claims of an ID token whose signature has been verified (OpenID Connect Core section 2).
package struct IDToken: Sendable, Equatable {
    package let claims: JSONObject
    package let issuer: String
    package let subject: String
    package let audience: [String]
    package let authorizedParty: String?
    package let expiresAt: NumericDate
    package let issuedAt: NumericDate
    package let notBefore: NumericDate?
    package let nonce: String?
    package let accessTokenHash: String?
    package let authenticatedAt: NumericDate?
    package let authenticationContext: String?

    /// Reads the claims that the rules need; those that must be there are named in the error when they are not.
    package init(_ claims: JSONObject) throws(IDTokenError) {
        self.claims = claims
        issuer = try Self.text(claims, "iss")
        subject = try Self.text(claims, "sub")
        switch claims["aud"] {
        case .string(let one)?: audience = [one]
        case nil, .null: throw .missingClaim("aud")
        case let value?:
            guard let several = value.strings else { throw .malformedClaim("aud") }
            audience = several
        }
        expiresAt = try Self.date(claims, "exp")
        issuedAt = try Self.date(claims, "iat")
        notBefore = try Self.optionalDate(claims, "nbf")
        authenticatedAt = try Self.optionalDate(claims, "auth_time")
        authorizedParty = try Self.optionalText(claims, "azp")
        nonce = try Self.optionalText(claims, "nonce")
        accessTokenHash = try Self.optionalText(claims, "at_hash")
        authenticationContext = try Self.optionalText(claims, "acr")
    }

    private static func text(_ claims: JSONObject, _ name: String) throws(IDTokenError) -> String {
        guard let value = try optionalText(claims, name), !value.isEmpty else { throw .missingClaim(name) }
        return value
    }

    private static func optionalText(_ claims: JSONObject, _ name: String) throws(IDTokenError) -> String? {
        guard let value = claims[name], value != .null else { return nil }
        guard let text = value.string else { throw .malformedClaim(name) }
        return text
    }

    private static func date(_ claims: JSONObject, _ name: String) throws(IDTokenError) -> NumericDate {
        guard let date = try optionalDate(claims, name) else { throw .missingClaim(name) }
        return date
    }

    /// A NumericDate may have a fraction (canaille's auth_time has).
    private static func optionalDate(_ claims: JSONObject, _ name: String) throws(IDTokenError) -> NumericDate? {
        guard let value = claims[name], value != .null else { return nil }
        guard let number = value.number, let date = NumericDate(exactly: number.rounded(.down)) else {
            throw .malformedClaim(name)
        }
        return date
    }
}
