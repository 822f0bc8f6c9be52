extension AuthState {
    /// Takes a successful token response: it clears an error and the flag, and keeps what it does not bring.
    package mutating func update(with response: TokenResponse) {
        storedAccessToken = AccessToken(
            secret: response.accessToken, receivedAt: response.receivedAt, expiresAt: response.expiresAt)
        refreshToken = response.refreshToken ?? refreshToken
        storedIDToken = response.idToken ?? storedIDToken
        scope = response.scope ?? scope
        needsRefresh = false
        authorizationError = nil
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
