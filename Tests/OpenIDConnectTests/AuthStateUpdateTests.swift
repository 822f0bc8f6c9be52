import OpenIDConnect
import Sensitive
import Testing

/// "Updates" of the reference.
@Suite struct AuthStateUpdateTests {
    static let target = TokenTarget(audience: "api")

    /// A login builds a new state: nothing of an older one can be in it, and nothing of it is in the older one.
    @Test func loginBuildsANewState() throws {
        let old = try Fixtures.state()
        var state = AuthState(
            issuer: "i", clientID: "c", redirectURI: "r", tokenEndpoint: "t", requestedScope: "openid",
            response: try Fixtures.response("new", at: Fixtures.now + 10))
        #expect(state.refreshToken == nil && state.idToken == nil && state.authorizationError == nil)
        #expect(!state.needsRefresh)
        #expect(state.loggedInAt == Fixtures.now + 10)
        state.storedAccessToken = nil
        #expect(old == (try Fixtures.state()))
    }

    /// AppAuth clears everything at a registration: here a client id of its own is a state of its own, and empty.
    @Test func registrationBeginsEmpty() {
        let state = AuthState(issuer: "i", clientID: "c", redirectURI: "r", tokenEndpoint: "t", loggedInAt: 5)
        #expect(state.storedAccessToken == nil && state.storedIDToken == nil && state.refreshToken == nil)
        #expect(state.scope == nil && state.authorizationError == nil && !state.needsRefresh)
        #expect(state.storedTargetTokens.isEmpty && !state.isAuthorized)
    }

    @Test func responseIsStored() throws {
        var state = try Fixtures.state()
        state.update(
            with: try Fixtures.response(
                "two", at: Fixtures.now + 100, lifetime: 60,
                extra: #","refresh_token":"r2","id_token":"i2","scope":"openid x""#))
        #expect(
            state.accessToken
                == .init(secret: Secret("two"), receivedAt: Fixtures.now + 100, expiresAt: Fixtures.now + 160))
        #expect(state.refreshToken == Secret("r2"))
        #expect(state.idToken == Secret("i2"))
        #expect(state.scope == "openid x")
        // A refresh is no login.
        #expect(state.loggedInAt == Fixtures.now)
    }

    /// Refresh token, scope and (unlike AppAuth) ID token are kept when the answer has none.
    @Test func responseKeepsWhatItDoesNotBring() throws {
        let before = try Fixtures.state()
        var state = before
        state.update(with: try Fixtures.response("two"))
        #expect(state.refreshToken == before.refreshToken)
        #expect(state.storedIDToken == before.storedIDToken)
        #expect(state.scope == before.scope)
        #expect(state.accessToken?.secret == Secret("two"))
    }

    @Test func responseClearsErrorAndFlag() throws {
        var state = try Fixtures.state()
        state.needsRefresh = true
        state.authorizationError = .init(domain: "token", code: "invalid_grant", text: "x")
        state.update(with: try Fixtures.response("two"))
        #expect(state.authorizationError == nil && !state.needsRefresh)
        #expect(state.isFresh(at: Fixtures.now, minimumLifetime: 60))
    }

    @Test func refusedGrantEndsTheLogin() throws {
        var state = try Fixtures.state()
        state.needsRefresh = true
        let changed = state.update(with: OAuthError(code: "invalid_grant", detail: "spent"))
        #expect(changed)
        #expect(state.authorizationError == .init(domain: "token", code: "invalid_grant", text: "spent"))
        #expect(state.refreshToken == nil)
        #expect(!state.needsRefresh)
        #expect(!state.isAuthorized)
        #expect(state.accessToken == nil && state.idToken == nil)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let code: String
        var testDescription: String { code }
    }

    /// Configuration errors and passing ones leave the tokens, the flag and an older error as they were.
    @Test(
        arguments: [
            "invalid_client", "unauthorized_client", "invalid_scope", "temporarily_unavailable", "slow_down",
            "server_error", "invalid_request", "unsupported_grant_type", "access_denied", "something_else",
        ].map(Row.init))
    func otherErrorsChangeNothing(_ row: Row) throws {
        var flagged = try Fixtures.state()
        flagged.needsRefresh = true
        var ended = try Fixtures.state()
        _ = ended.update(with: OAuthError(code: "invalid_grant"))
        for before in [try Fixtures.state(), flagged, ended] {
            var state = before
            let changed = state.update(with: OAuthError(code: row.code, detail: "text"))
            #expect(!changed)
            #expect(state == before)
        }
    }

    /// Only a login leads out of it.
    @Test func anEndedLoginStaysEnded() throws {
        var state = try Fixtures.state()
        _ = state.update(with: OAuthError(code: "invalid_grant"))
        #expect(state.refreshToken == nil)
        #expect(!state.isFresh(at: Fixtures.now, minimumLifetime: 0) && !state.isUsable(at: Fixtures.now))
    }

    // MARK: Tokens of their own for one server

    @Test func targetTokenStandsBesideTheOwn() throws {
        var state = try Fixtures.state()
        state.needsRefresh = true
        state.update(
            with: try Fixtures.response("api", extra: #","refresh_token":"r2","scope":"api""#), for: Self.target)
        #expect(state.token(for: Self.target)?.secret == Secret("api"))
        #expect(state.accessToken?.secret == Secret("access"))
        #expect(state.needsRefresh)
        #expect(state.scope == "openid profile")
        #expect(state.refreshToken == Secret("r2"))
        #expect(state.token(for: TokenTarget(resource: "api")) == nil)
        #expect(state.token(for: TokenTarget(audience: "api", resource: "x")) == nil)
    }

    // MARK: A refused token

    @Test func refusedOwnTokenIsFlagged() throws {
        var state = try Fixtures.state()
        let changed = state.reject(Secret("access"))
        #expect(changed && state.needsRefresh)
        #expect(state.refreshToken == Secret("refresh"))
        #expect(state.accessToken != nil && state.isAuthorized)
        let again = state.reject(Secret("access"))
        #expect(!again)
    }

    @Test func refusedIDTokenIsFlagged() throws {
        var state = try Fixtures.state()
        let token = try #require(state.idToken)
        let changed = state.reject(token)
        #expect(changed && state.needsRefresh)
    }

    @Test func refusedTargetTokenIsMarked() throws {
        var state = try Fixtures.state()
        state.update(with: try Fixtures.response("api"), for: Self.target)
        let changed = state.reject(Secret("api"))
        #expect(changed && !state.needsRefresh)
        #expect(state.isRefused(Self.target) && !state.isRefused(.standard))
        #expect(!state.isFresh(at: Fixtures.now, minimumLifetime: 0, for: Self.target))
        #expect(!state.isUsable(at: Fixtures.now, for: Self.target))
        #expect(state.isFresh(at: Fixtures.now, minimumLifetime: 60))
        #expect(state.refreshToken == Secret("refresh"))
        let again = state.reject(Secret("api"))
        #expect(!again)
    }

    /// The next token says whether it came in the place of a refused one; the one after it does not.
    @Test(arguments: [TokenTarget.standard, target])
    func successorOfARefusedTokenIsKnown(target: TokenTarget) throws {
        var state = try Fixtures.state()
        state.update(with: try Fixtures.response("one"), for: target)
        #expect(state.token(for: target)?.replacesRefused == false)
        _ = state.reject(Secret("one"))
        #expect(state.isRefused(target))
        state.update(with: try Fixtures.response("two"), for: target)
        #expect(!state.isRefused(target))
        #expect(state.token(for: target)?.replacesRefused == true)
        state.update(with: try Fixtures.response("three"), for: target)
        #expect(state.token(for: target)?.replacesRefused == false)
    }

    @Test(arguments: ["", "refresh", "acces", "access ", "ACCESS", "other"])
    func aTokenThatIsNotOursChangesNothing(text: String) throws {
        var state = try Fixtures.state()
        let changed = state.reject(Secret(text))
        #expect(!changed)
        #expect(state == (try Fixtures.state()))
    }
}
