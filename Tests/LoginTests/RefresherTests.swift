import Configuration
import JSON
import Login
import OpenIDConnect
import Program
import Sensitive
import Testing
import WebAddress

@Suite struct RefresherTests {
    private let loop = EventLoop()

    private func state(_ issuer: FakeIssuer, idToken: Bool = true, refreshToken: String? = "old-refresh") throws
        -> AuthState
    {
        var state = AuthState(
            issuer: issuer.url, clientID: FakeIssuer.clientID, redirectURI: "http://127.0.0.1:1/callback",
            tokenEndpoint: issuer.url + "/oauth2/token?env=test", loggedInAt: Clock.now() - 7200)
        state.scope = "openid email"
        state.refreshToken = refreshToken.map { Secret($0) }
        state.storedAccessToken = AuthState.AccessToken(
            secret: Secret("old-access"), receivedAt: Clock.now() - 3600, expiresAt: Clock.now() - 1)
        if idToken { state.storedIDToken = Secret(try issuer.idToken(nonce: nil)) }
        return state
    }

    private func refresh(
        _ issuer: FakeIssuer, _ state: AuthState, _ change: (inout Profile) -> Void = { _ in }
    ) throws -> Refresher.Outcome {
        var profile = try issuer.profile()
        change(&profile)
        let client = try #require(ClientRegistration(profile: profile, secret: nil))
        return Refresher(profile: profile, client: client, http: try HTTPClient(HTTPSettings(), loop: loop)).refresh(
            state)
    }

    @Test func renews() throws {
        let issuer = try FakeIssuer(loop: loop)
        var before = try state(issuer)
        before.needsRefresh = true
        let outcome = try refresh(issuer, before)
        #expect(outcome.error == nil)
        #expect(outcome.state.accessToken?.secret.text == "access-1")
        #expect(outcome.state.refreshToken?.text == "refresh-1")
        #expect(outcome.state.loggedInAt == before.loggedInAt)
        #expect(outcome.state.scope == "openid email")
        #expect(!outcome.state.needsRefresh)
        let form = try #require(issuer.tokenRequests.first)
        #expect(form.fields.map(\.name).sorted() == ["client_id", "grant_type", "refresh_token"])
        #expect(form["refresh_token"] == "old-refresh")
        // Keys come first, so that nothing stands between the rotation and the save.
        #expect(issuer.paths() == ["/.well-known/openid-configuration", "/.well-known/jwks.json", "/oauth2/token"])
    }

    @Test func needsNoDiscoveryWithoutAnIDToken() throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.tokenChanges = ["id_token": nil]
        let outcome = try refresh(issuer, state(issuer, idToken: false))
        #expect(outcome.error == nil)
        #expect(issuer.paths() == ["/oauth2/token"])
        #expect(issuer.requests.first?.query == "env=test")
    }

    @Test func checksAnIDTokenThatComesUnexpected() throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.claimChanges = ["aud": "other"]
        let outcome = try refresh(issuer, state(issuer, idToken: false))
        #expect(outcome.error != nil)
        #expect(outcome.state.refreshToken?.text == "refresh-1")
    }

    @Test func keepsWhatTheAnswerDoesNotBring() throws {
        let issuer = try FakeIssuer(loop: loop)
        let before = try state(issuer)
        issuer.tokenChanges = ["id_token": nil, "refresh_token": nil]
        let outcome = try refresh(issuer, before)
        #expect(outcome.error == nil)
        #expect(outcome.state.refreshToken?.text == "old-refresh")
        #expect(outcome.state.storedIDToken == before.storedIDToken)
        #expect(outcome.state.accessToken?.secret.text == "access-1")
    }

    @Test func takesANarrowerScope() throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.tokenChanges = ["scope": "openid"]
        #expect(try refresh(issuer, state(issuer)).state.scope == "openid")
    }

    @Test func refusesWithoutARefreshToken() throws {
        let issuer = try FakeIssuer(loop: loop)
        let before = try state(issuer, refreshToken: nil)
        let outcome = try refresh(issuer, before)
        #expect(outcome.error == .noRefreshToken)
        #expect(outcome.state == before)
        #expect(issuer.requests.isEmpty)
    }

    @Test(arguments: [
        ("changed subject", ["sub": "mallory"] as [String: JSONValue?]),
        ("wrong issuer", ["iss": "https://evil.example"]),
        ("wrong audience", ["aud": "other"]),
        ("expired", ["exp": 1_000_000_000]),
        ("no subject", ["sub": nil]),
    ])
    func aBadIDTokenDoesNotLoseTheRotatedRefreshToken(name: String, claims: [String: JSONValue?]) throws {
        let issuer = try FakeIssuer(loop: loop)
        let before = try state(issuer)
        issuer.claimChanges = claims
        let outcome = try refresh(issuer, before)
        let error = try #require(outcome.error, "\(name)")
        #expect(Complaint(error).exitCode == .unacceptableAnswer)
        #expect(outcome.state.refreshToken?.text == "refresh-1")
        #expect(outcome.state.storedAccessToken == before.storedAccessToken)
        #expect(outcome.state.storedIDToken == before.storedIDToken)
    }

    @Test func aBadSignatureDoesNotLoseTheRotatedRefreshToken() throws {
        let issuer = try FakeIssuer(loop: loop)
        let before = try state(issuer)
        try issuer.rotateKey()
        let outcome = try refresh(issuer, before)
        #expect(outcome.error != nil)
        #expect(outcome.state.refreshToken?.text == "refresh-1")
        #expect(outcome.state.storedAccessToken == before.storedAccessToken)
    }

    @Test func invalidGrantEndsTheLogin() throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.intercept = {
            $0.path == "/oauth2/token"
                ? .json("{\"error\":\"invalid_grant\",\"error_description\":\"spent\"}", status: 400) : nil
        }
        let outcome = try refresh(issuer, state(issuer))
        #expect(outcome.state.authorizationError?.code == "invalid_grant")
        #expect(outcome.state.refreshToken == nil)
        #expect(!outcome.state.isAuthorized)
        #expect(outcome.error.map { Complaint($0).exitCode } == .loginRequired)
        #expect(outcome.error?.isTransient == false)
    }

    @Test(arguments: [
        ("invalid_client", 401, "{\"error\":\"invalid_client\"}", ExitCode.configuration, false),
        ("server_error", 400, "{\"error\":\"server_error\"}", .temporary, true),
        ("500", 500, "", .temporary, true),
        ("502 HTML", 502, "<html>", .temporary, true),
        ("HTML 200", 200, "<html>", .temporary, true),
        ("400 without a reason", 400, "{}", .loginRequired, false),
        ("DPoP", 200, "{\"access_token\":\"a\",\"token_type\":\"DPoP\"}", .unacceptableAnswer, false),
        ("redirect", 307, "", .configuration, false),
    ])
    func otherErrorsChangeNothing(name: String, status: Int, body: String, code: ExitCode, isTransient: Bool) throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.intercept = { $0.path == "/oauth2/token" ? TestServer.Reply(status: status, body: body) : nil }
        let before = try state(issuer)
        let outcome = try refresh(issuer, before)
        let error = try #require(outcome.error, "\(name)")
        #expect(outcome.state == before)
        #expect(Complaint(error).exitCode == code)
        #expect(error.isTransient == isTransient)
        #expect(issuer.requests.filter { $0.path == "/oauth2/token" }.count == 1)
    }

    @Test(
        arguments: [
            ("503", 503, nil, 2), ("429", 429, nil, 2), ("429 for a second", 429, "1", 2),
            ("503 for ten", 503, "10", 1), ("503 until a day", 503, "Fri, 31 Dec 2100 23:59:59 GMT", 1),
            ("503 for years", 503, "99999999", 1), ("503 until yesterday", 503, "Sun, 06 Nov 1994 08:49:37 GMT", 2),
            ("500", 500, nil, 1), ("502", 502, nil, 1), ("504", 504, nil, 1),
        ] as [(String, Int, String?, Int)])
    func triesOnceMoreWhenAskedToWait(name: String, status: Int, retryAfter: String?, tries: Int) throws {
        let issuer = try FakeIssuer(loop: loop)
        var asked = 0
        issuer.intercept = { request in
            guard request.path == "/oauth2/token" else { return nil }
            asked += 1
            let headers = retryAfter.map { ["Retry-After": $0] } ?? [:]
            return asked == 1 ? TestServer.Reply(status: status, headers: headers) : nil
        }
        let before = try state(issuer)
        let outcome = try refresh(issuer, before)
        #expect(asked == tries, "\(name)")
        #expect((outcome.error == nil) == (tries == 2), "\(name)")
        #expect(outcome.state.refreshToken?.text == (tries == 2 ? "refresh-1" : "old-refresh"))
    }

    @Test func triesNoThirdTime() throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.intercept = { $0.path == "/oauth2/token" ? TestServer.Reply(status: 503) : nil }
        let before = try state(issuer)
        let outcome = try refresh(issuer, before)
        #expect(issuer.paths().filter { $0 == "/oauth2/token" }.count == 2)
        #expect(outcome.error?.isTransient == true)
        #expect(outcome.state == before)
    }

    @Test func sendsNothingWhenTheIssuerIsNotThere() throws {
        let closed = try ClosedPort()
        let issuer = try FakeIssuer(loop: loop)
        let before = try state(issuer)
        issuer.url = "http://127.0.0.1:\(closed.port)"
        let outcome = try refresh(issuer, before)
        #expect(outcome.error?.isTransient == true)
        #expect(outcome.state == before)
        #expect(issuer.tokenRequests.isEmpty)
    }

    @Test func triesAllTheSameWhenOnlyTheMetadataIsBroken() throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.tokenChanges = ["id_token": nil]
        issuer.intercept = { $0.path.hasPrefix("/.well-known/") ? TestServer.Reply(status: 404) : nil }
        let outcome = try refresh(issuer, state(issuer))
        #expect(outcome.error == nil)
        #expect(outcome.state.accessToken?.secret.text == "access-1")
    }

    @Test(arguments: ["", "ftp://x/y", "http://token.example/t", "javascript:x"])
    func refusesAStoredEndpointThatIsNone(endpoint: String) throws {
        let issuer = try FakeIssuer(loop: loop)
        var before = try state(issuer, idToken: false)
        before.tokenEndpoint = endpoint
        #expect(try refresh(issuer, before).error == .badTokenEndpoint(endpoint))
        #expect(issuer.requests.isEmpty)
    }
}
