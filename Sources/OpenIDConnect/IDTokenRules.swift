import Sensitive

/// What an ID token is held against (OpenID Connect Core sections 3.1.3.7 and 12.2). The signature was verified before.
package struct IDTokenRules: Sendable {
    package var issuer: String
    package var clientID: String
    /// Tolerance for clocks that differ, in seconds.
    package var leeway: Int
    /// The nonce that was sent; nil on a refresh, whose ID token may leave it out.
    package var nonce: Secret?
    /// The subject that the login is about; nil on a first login.
    package var subject: String?
    /// `max_age` as it was sent, in seconds.
    package var maxAge: Int?
    /// `acr_values` as they were sent.
    package var authenticationContexts: [String] = []

    /// `iat` further back than this is a replay or a broken clock.
    package static let oldestIssue = 600

    package init(issuer: String, clientID: String, leeway: Int, nonce: Secret? = nil, subject: String? = nil) {
        self.issuer = issuer
        self.clientID = clientID
        self.leeway = leeway
        self.nonce = nonce
        self.subject = subject
    }

    /// - Parameters:
    ///   - accessToken: the one that came in the same answer.
    ///   - algorithm: the one of the ID token's signature, which `at_hash` follows (section 3.1.3.6).
    package func validate(
        _ token: IDToken, accessToken: Secret, algorithm: SignatureAlgorithm, ceremony: Ceremony, now: NumericDate
    ) throws(IDTokenError) {
        guard token.issuer.hasSameBytes(as: issuer) else { throw .wrongIssuer(expected: issuer, found: token.issuer) }
        try validateAudience(token)
        try validateTimes(token, now: now)
        if let nonce {
            guard let found = token.nonce else { throw .missingNonce }
            guard Secret(found) == nonce else { throw .wrongNonce }
        }
        if let subject, !token.subject.hasSameBytes(as: subject) {
            throw .changedSubject(before: subject, now: token.subject)
        }
        if let hash = token.accessTokenHash {
            let digest = ceremony.digest(algorithm.hashFunction, accessToken.withBytes { Array($0) })
            guard hash.hasSameBytes(as: Base64URL.encode(digest.prefix(digest.count / 2))) else {
                throw .wrongAccessTokenHash
            }
        }
        try validateAuthentication(token, now: now)
    }

    private func validateAudience(_ token: IDToken) throws(IDTokenError) {
        guard token.audience.contains(where: { $0.hasSameBytes(as: clientID) }) else {
            throw .wrongAudience(expected: clientID, found: token.audience)
        }
        if token.audience.count > 1, token.authorizedParty == nil {
            throw .missingAuthorizedParty(audience: token.audience)
        }
        if let party = token.authorizedParty, !party.hasSameBytes(as: clientID) {
            throw .wrongAuthorizedParty(expected: clientID, found: party)
        }
    }

    private func validateTimes(_ token: IDToken, now: NumericDate) throws(IDTokenError) {
        guard token.expiresAt > now - leeway else { throw .expired(at: token.expiresAt, now: now) }
        if let start = token.notBefore, start > now + leeway { throw .notYetValid(from: start, now: now) }
        guard token.issuedAt <= now + leeway else { throw .issuedInTheFuture(at: token.issuedAt, now: now) }
        guard token.issuedAt >= now - Self.oldestIssue - leeway else {
            throw .issuedLongAgo(at: token.issuedAt, now: now)
        }
    }

    private func validateAuthentication(_ token: IDToken, now: NumericDate) throws(IDTokenError) {
        if let maxAge {
            guard let time = token.authenticatedAt else { throw .missingClaim("auth_time") }
            guard time >= now - maxAge - leeway else {
                throw .authenticatedTooLongAgo(at: time, maxAge: maxAge, now: now)
            }
        }
        if !authenticationContexts.isEmpty {
            guard let found = token.authenticationContext,
                authenticationContexts.contains(where: { $0.hasSameBytes(as: found) })
            else {
                throw .wrongAuthenticationContext(
                    expected: authenticationContexts, found: token.authenticationContext)
            }
        }
    }
}

extension SignatureAlgorithm {
    /// The hash of the algorithm's name.
    package var hashFunction: Ceremony.HashFunction {
        switch self {
        case .rs256, .ps256, .es256: .sha256
        case .rs384, .ps384, .es384: .sha384
        case .rs512, .ps512, .es512: .sha512
        }
    }
}
