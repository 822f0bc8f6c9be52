import JSON
import OpenIDConnect
import Sensitive
import Testing

/// "Stored and derived" of the reference: what a state holds and what it says.
@Suite struct AuthStateTests {
    /// Issuer, client id, redirect URI and token endpoint stay; code, verifier, state and nonce have no place at all.
    @Test func keepsWhatARefreshNeeds() throws {
        let state = try Fixtures.state()
        #expect(state.issuer == Fixtures.issuer)
        #expect(state.clientID == Fixtures.clientID)
        #expect(state.redirectURI == "http://127.0.0.1:8484/callback")
        #expect(state.tokenEndpoint == "https://acme.example/oauth2/token")
        #expect(state.loggedInAt == Fixtures.now)
        #expect(state.accessToken?.secret == Secret("access"))
        #expect(state.accessToken?.lifetime == 3600)
        #expect(state.refreshToken == Secret("refresh"))
        let names = Mirror(reflecting: state).children.compactMap(\.label)
        for name in ["code", "verifier", "codeVerifier", "state", "nonce"] { #expect(!names.contains(name)) }
    }

    struct Scope: Sendable, CustomTestStringConvertible {
        let name: String
        let answered: String?
        let expected: String
        var testDescription: String { name }
    }

    /// The request's, until a token response has one.
    @Test(arguments: [
        Scope(name: "answer without scope", answered: nil, expected: "openid email"),
        Scope(name: "answer with fewer", answered: "openid", expected: "openid"),
        Scope(name: "answer with others", answered: "openid x", expected: "openid x"),
        Scope(name: "answer with an empty scope", answered: "", expected: "openid email"),
    ])
    func scope(_ row: Scope) throws {
        let extra = row.answered.map { #","scope":"\#($0)""# } ?? ""
        let state = AuthState(
            issuer: "i", clientID: "c", redirectURI: "r", tokenEndpoint: "t", requestedScope: "openid email",
            response: try Fixtures.response(extra: extra))
        #expect(state.scope == row.expected)
    }

    /// Access token, ID token and expiry are hidden while an authorization error is set, and kept.
    @Test func errorHidesTheTokens() throws {
        var state = try Fixtures.state()
        state.storedTargetTokens[TokenTarget(audience: "api")] = state.storedAccessToken
        state.authorizationError = .init(domain: "token", code: "invalid_grant", text: nil)
        #expect(state.accessToken == nil)
        #expect(state.token(for: TokenTarget(audience: "api")) == nil)
        #expect(state.idToken == nil)
        #expect(!state.isAuthorized)
        #expect(!state.isFresh(at: Fixtures.now, minimumLifetime: 0))
        #expect(!state.isUsable(at: Fixtures.now))
        #expect(!state.wasRenewed(since: 0, at: Fixtures.now))
        #expect(!state.shouldRenewAhead(at: Fixtures.now + 3590))
        #expect(state.storedAccessToken != nil && state.storedIDToken != nil)
        state.authorizationError = nil
        #expect(state.accessToken?.secret == Secret("access"))
    }

    struct Tokens: Sendable, CustomTestStringConvertible {
        let name: String
        var access = false
        var id = false
        var refresh = false
        var error = false
        let authorized: Bool
        var testDescription: String { name }
    }

    /// No authorization error, and at least one of access, ID or refresh token.
    @Test(arguments: [
        Tokens(name: "nothing", authorized: false),
        Tokens(name: "access token", access: true, authorized: true),
        Tokens(name: "ID token", id: true, authorized: true),
        Tokens(name: "refresh token", refresh: true, authorized: true),
        Tokens(name: "all three", access: true, id: true, refresh: true, authorized: true),
        Tokens(name: "all three and an error", access: true, id: true, refresh: true, error: true, authorized: false),
        Tokens(name: "refresh token and an error", refresh: true, error: true, authorized: false),
        Tokens(name: "error alone", error: true, authorized: false),
    ])
    func isAuthorized(_ row: Tokens) {
        var state = AuthState(issuer: "i", clientID: "c", redirectURI: "r", tokenEndpoint: "t", loggedInAt: 0)
        if row.access { state.storedAccessToken = .init(secret: Secret("a"), receivedAt: 0, expiresAt: 1) }
        if row.id { state.storedIDToken = Secret("i") }
        if row.refresh { state.refreshToken = Secret("r") }
        if row.error { state.authorizationError = .init(domain: "token", code: "x", text: nil) }
        #expect(state.isAuthorized == row.authorized)
    }

    /// Being authorized says nothing of freshness.
    @Test func anExpiredLoginIsStillAuthorized() throws {
        var state = try Fixtures.state()
        #expect(!state.isFresh(at: Fixtures.now + 7200, minimumLifetime: 60))
        state.needsRefresh = true
        #expect(state.isAuthorized)
    }

    @Test func tellsThePerson() throws {
        let state = try Fixtures.state()
        #expect(state.subject == "alice")
        #expect(state.claims?.claims["name"]?.string == "Alice")
    }

    @Test(arguments: [nil, "", "opaque", "a.b.c", Fixtures.jwt("[]"), Fixtures.jwt(#"{"sub":7}"#), Fixtures.jwt("{}")])
    func hasNoSubjectWithoutAnIDToken(text: String?) {
        var state = AuthState(issuer: "i", clientID: "c", redirectURI: "r", tokenEndpoint: "t", loggedInAt: 0)
        state.storedIDToken = text.map { Secret($0) }
        #expect(state.subject == nil)
    }

    @Test func printsNoSecret() throws {
        let state = try Fixtures.state()
        var dumped = ""
        dump(state, to: &dumped)
        for text in ["\(state)", String(reflecting: state), dumped] {
            #expect(!text.contains("\"access\"") && !text.contains("refresh\"") && !text.contains("c2ln"))
        }
    }
}
