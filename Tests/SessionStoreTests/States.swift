import JSON
import OpenIDConnect
import Sensitive
import SessionStore

/// What the tables share.
enum States {
    /// A login with every optional set.
    static let full: AuthState = {
        var state = minimal
        state.scope = "openid profile"
        state.refreshToken = Secret("refresh")
        state.needsRefresh = true
        state.authorizationError = .init(domain: "token", code: "invalid_grant", text: "spent")
        state.storedAccessToken = .init(secret: Secret("access"), receivedAt: 1_700_000_000, expiresAt: 1_700_003_600)
        state.storedIDToken = Secret("a.b.c")
        state.storedTargetTokens = [
            TokenTarget(audience: "registry"): .init(secret: Secret("r"), receivedAt: 1, expiresAt: 2),
            TokenTarget(audience: "api", resource: "https://api.example"): .init(
                secret: Secret("a"), receivedAt: 3, expiresAt: 4),
            TokenTarget(resource: "https://b.example"): .init(secret: Secret("b"), receivedAt: 5, expiresAt: 6),
        ]
        return state
    }()

    /// A login with nothing but what must be there.
    static let minimal = AuthState(
        issuer: "https://acme.example", clientID: "mojoauth-cli", redirectURI: "http://127.0.0.1:8484/callback",
        tokenEndpoint: "https://acme.example/oauth2/token?env=test", loggedInAt: 1_600_000_000)

    static func text(_ state: AuthState) -> String {
        AuthStateCoding.encode(state).text ?? ""
    }
}
