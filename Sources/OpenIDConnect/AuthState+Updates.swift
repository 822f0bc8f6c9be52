import Sensitive

extension AuthState {
    /// Takes a successful token response: it clears an error and the flag, and keeps what it does not bring.
    ///
    /// - Parameter target: what the token was asked for. A target's answer leaves the login's own token and its flag.
    package mutating func update(with response: TokenResponse, for target: TokenTarget = .standard) {
        var token = AccessToken(
            secret: response.accessToken, receivedAt: response.receivedAt, expiresAt: response.expiresAt)
        token.replacesRefused = isRefused(target)
        if target.isOfLogin {
            storedAccessToken = token
            needsRefresh = false
            scope = response.scope ?? scope
        } else {
            storedTargetTokens[target] = token
        }
        refreshToken = response.refreshToken ?? refreshToken
        storedIDToken = response.idToken ?? storedIDToken
        authorizationError = nil
    }

    /// A host refused this token: it is not handed out again, and the refresh token stays.
    ///
    /// - Returns: whether the token is one of ours, and so whether the state changed.
    package mutating func reject(_ refused: Secret) -> Bool {
        if storedAccessToken?.secret == refused || storedIDToken == refused {
            guard !needsRefresh else { return false }
            needsRefresh = true
            return true
        }
        let targets = storedTargetTokens.filter { $0.value.secret == refused && !$0.value.isRefused }.keys
        for target in targets { storedTargetTokens[target]?.isRefused = true }
        return !targets.isEmpty
    }

    /// Takes an OAuth error of the token endpoint. Only `invalid_grant` ends the login; the others leave it as it was.
    ///
    /// - Returns: whether the state changed.
    package mutating func update(with error: OAuthError) -> Bool {
        guard error.meaning == .grantRefused else { return false }
        authorizationError = AuthorizationError(domain: "token", code: error.code, text: error.detail)
        refreshToken = nil
        needsRefresh = false
        return true
    }
}
