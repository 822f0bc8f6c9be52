import Sensitive

/// Proof Key for Code Exchange (RFC 7636): the verifier stays here, its S256 challenge goes out. There is no `plain`.
package struct CodeVerifier: Sendable, Equatable {
    package let secret: Secret
    /// base64url of the verifier's SHA-256.
    package let challenge: String

    package init(_ secret: Secret, _ ceremony: Ceremony) {
        self.secret = secret
        challenge = Base64URL.encode(ceremony.digest(.sha256, secret.withBytes { Array($0) }))
    }

    package init(_ ceremony: Ceremony) {
        self.init(ceremony.token(), ceremony)
    }
}
