import JSON
import Sensitive

/// Everything a login is: what the issuer granted, whether it is still good, and what is needed to renew it.
///
/// It stands for AppAuth's OIDAuthState. A value: a change is a new state, and the stored one is replaced only by a
/// complete one.
package struct AuthState: Sendable, Equatable {
    package struct AccessToken: Sendable, Equatable {
        package var secret: Secret
        package var receivedAt: NumericDate
        package var expiresAt: NumericDate
        /// A host refused it. Only for tokens of a target: the login's own has ``AuthState/needsRefresh``.
        package var isRefused = false
        /// It came in the place of one that a host had refused.
        package var replacesRefused = false

        package init(secret: Secret, receivedAt: NumericDate, expiresAt: NumericDate) {
            self.secret = secret
            self.receivedAt = receivedAt
            self.expiresAt = expiresAt
        }

        /// Seconds the issuer granted it for.
        package var lifetime: Int { expiresAt - receivedAt }
    }

    /// An OAuth error that ended the login; it survives saving.
    package struct AuthorizationError: Sendable, Equatable {
        /// `authorization` or `token`: which endpoint said it.
        package var domain: String
        package var code: String
        package var text: String?

        package init(domain: String, code: String, text: String?) {
            self.domain = domain
            self.code = code
            self.text = text
        }
    }

    package var issuer: String
    package var clientID: String
    package var redirectURI: String
    package var tokenEndpoint: String
    /// When the person signed in.
    package var loggedInAt: NumericDate
    package var scope: String?
    /// Kept apart from the token response, since an answer without one does not take it away.
    package var refreshToken: Secret?
    /// Set by a caller whose token was refused; cleared by a refresh.
    package var needsRefresh = false
    package var authorizationError: AuthorizationError?
    /// Hidden by ``accessToken`` while an error is set.
    package var storedAccessToken: AccessToken?
    /// Tokens of hosts that name an audience or a resource; hidden like the login's own.
    package var storedTargetTokens: [TokenTarget: AccessToken] = [:]
    /// The last ID token that came: a refresh that brings none leaves it.
    package var storedIDToken: Secret?
    /// What the userinfo endpoint told when it was last asked.
    package var userInfo: UserInfo?

    /// A login that has just ended in a complete token response.
    package init(
        issuer: String, clientID: String, redirectURI: String, tokenEndpoint: String, requestedScope: String,
        response: TokenResponse
    ) {
        self.init(
            issuer: issuer, clientID: clientID, redirectURI: redirectURI, tokenEndpoint: tokenEndpoint,
            loggedInAt: response.receivedAt)
        scope = requestedScope
        update(with: response)
    }

    /// An empty state, for decoding.
    package init(
        issuer: String, clientID: String, redirectURI: String, tokenEndpoint: String, loggedInAt: NumericDate
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.tokenEndpoint = tokenEndpoint
        self.loggedInAt = loggedInAt
    }

    /// The access token; nil while an authorization error is set.
    package var accessToken: AccessToken? { token(for: .standard) }

    /// The token of a target; nil while an authorization error is set.
    package func token(for target: TokenTarget) -> AccessToken? {
        guard authorizationError == nil else { return nil }
        if target.isIDToken { return datedIDToken }
        return target == .standard ? storedAccessToken : storedTargetTokens[target]
    }

    /// The ID token with the times in it; nil also for one that has none.
    private var datedIDToken: AccessToken? {
        // Differences are taken of these: what lies beyond every calendar counts as its end.
        func time(_ name: String) -> NumericDate? {
            claims?.claims[name]?.number.map { NumericDate(min(max($0.rounded(.down), 0), 0x1p53)) }
        }
        guard let storedIDToken, let expiry = time("exp") else { return nil }
        var token = AccessToken(secret: storedIDToken, receivedAt: time("iat") ?? loggedInAt, expiresAt: expiry)
        token.replacesRefused = storedAccessToken?.replacesRefused ?? false
        return token
    }

    /// The last ID token; nil while an authorization error is set.
    package var idToken: Secret? { authorizationError == nil ? storedIDToken : nil }

    /// Is this a token that hosts are given, or were until an error ended the login? All are compared, each in a time
    /// that tells nothing of it. The refresh token is none: no host is given it.
    package func holds(_ secret: Secret) -> Bool {
        let tokens =
            [storedAccessToken?.secret, storedIDToken].compactMap(\.self) + storedTargetTokens.values.map(\.secret)
        return tokens.reduce(false) { found, token in token == secret || found }
    }

    /// No authorization error, and at least one of access, ID or refresh token. Says nothing of freshness.
    package var isAuthorized: Bool {
        authorizationError == nil && (storedAccessToken != nil || storedIDToken != nil || refreshToken != nil)
    }

    /// The person, as the last ID token tells; nil without one.
    package var claims: CompactJWT? { storedIDToken?.text.flatMap { CompactJWT($0) } }

    package var subject: String? { claims?.claims["sub"]?.string }
}
