import OpenIDConnect

/// A token whose signature has been verified: nothing else about it has.
package struct VerifiedToken: Sendable, Equatable {
    package let header: JWSHeader
    /// The claims, as the bytes that were signed.
    package let payload: [UInt8]
}

extension KeySet {
    /// Verifies a token in compact serialization.
    ///
    /// The algorithm is held against `allowed` before a key is chosen. A `kid` chooses the key; without one exactly
    /// one key of the set must fit.
    ///
    /// - Parameters:
    ///   - token: in compact serialization.
    ///   - allowed: what the metadata lists.
    ///   - types: the values of `typ` that are acceptable, lower case; an absent `typ` always is. The default fits ID
    ///     tokens: `at+jwt` and `logout+jwt` are none.
    /// - Returns: the header and the bytes of the claims.
    /// - Throws: ``JOSEError``; `.unknownKey` alone is worth one more look at the key set.
    package func verify(
        _ token: String, allowed: Set<SignatureAlgorithm>, types: Set<String> = ["jwt", "jose"]
    ) throws(JOSEError) -> VerifiedToken {
        let parsed = try CompactJWS(parsing: token)
        let header = parsed.header
        guard allowed.contains(header.algorithm) else { throw .algorithmNotAllowed(header.algorithm.rawValue) }
        if let type = header.mediaType, !types.contains(type) { throw .wrongType(header.type ?? type) }
        for key in try candidates(for: header) where try SignatureCheck.holds(token, key: key) {
            return VerifiedToken(header: header, payload: parsed.payload)
        }
        throw .signatureInvalid
    }

    /// The keys that may have signed: one, or several when the set uses a `kid` twice.
    private func candidates(for header: JWSHeader) throws(JOSEError) -> [JSONWebKey] {
        guard let keyID = header.keyID else {
            let fitting = keys.filter { $0.unfitness(for: header.algorithm) == nil }
            guard fitting.count == 1 else { throw .noSingleKey(fitting: fitting.count) }
            return fitting
        }
        let named = keys.filter { $0.keyID == keyID }
        guard let first = named.first else { throw .unknownKey(keyID) }
        let fitting = named.filter { $0.unfitness(for: header.algorithm) == nil }
        if fitting.isEmpty, let why = first.unfitness(for: header.algorithm) { throw .keyUnfit(kid: keyID, why: why) }
        return fitting
    }
}
