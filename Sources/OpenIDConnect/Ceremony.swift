import Sensitive

/// Where pure rules get what they must not reach for themselves.
package struct Ceremony: Sendable {
    package enum HashFunction: Sendable { case sha256, sha384, sha512 }

    /// That many bytes from the system's generator.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    package var digest: @Sendable (HashFunction, [UInt8]) -> [UInt8]

    package init(
        randomBytes: @escaping @Sendable (Int) -> [UInt8],
        digest: @escaping @Sendable (HashFunction, [UInt8]) -> [UInt8]
    ) {
        self.randomBytes = randomBytes
        self.digest = digest
    }

    /// 256 random bits as 43 base64url characters: a state, a nonce, a code verifier.
    package func token() -> Secret {
        Secret(Base64URL.encode(randomBytes(32)))
    }
}
