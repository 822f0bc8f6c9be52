/// The refresh tokens that came one from another (RFC 9700 section 4.14.2): one is current, and one that is used again
/// ends them all.
struct RefreshFamily {
    var grant: Grant
    private(set) var current: String
    private var spent: Set<String> = []
    private var previous: String?
    private var rotatedAt = 0
    private var expiresAt: Int
    private(set) var isRevoked = false

    init(grant: Grant, token: String, expiresAt: Int) {
        self.grant = grant
        current = token
        self.expiresAt = expiresAt
    }

    func owns(_ token: String) -> Bool {
        token == current || spent.contains(token)
    }

    mutating func revoke() {
        isRevoked = true
    }

    /// Takes a token of the family for a refresh.
    ///
    /// - Returns: the refresh token to answer with.
    mutating func use(
        _ token: String, at now: Int, rotating: Bool, grace: Int, lifetime: Int
    ) throws(OAuthError) -> String {
        if isRevoked { throw .invalidGrant("the refresh token has been revoked") }
        guard token == current else {
            if token == previous, now - rotatedAt < grace { return current }
            revoke()
            throw .invalidGrant("the refresh token was used before: all that came of it are revoked")
        }
        if now >= expiresAt { throw .invalidGrant("the refresh token has expired") }
        guard rotating else { return current }
        spent.insert(token)
        previous = token
        rotatedAt = now
        current = Randomness.token()
        expiresAt = now + lifetime
        return current
    }
}
