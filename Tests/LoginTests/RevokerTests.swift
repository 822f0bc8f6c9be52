import Login
import OpenIDConnect
import Program
import Sensitive
import Testing
import WebAddress

@Suite struct RevokerTests {
    private let loop = EventLoop()

    private func revoke(_ issuer: FakeIssuer, refreshToken: String? = "r") throws -> Revoker.Outcome {
        var state = AuthState(
            issuer: issuer.url, clientID: FakeIssuer.clientID, redirectURI: "", tokenEndpoint: "", loggedInAt: 0)
        state.refreshToken = refreshToken.map { Secret($0) }
        state.storedAccessToken = AuthState.AccessToken(secret: Secret("a"), receivedAt: 0, expiresAt: 1)
        let profile = try issuer.profile()
        let client = try #require(ClientRegistration(profile: profile, secret: nil))
        return try Revoker(profile: profile, client: client, http: HTTPClient(HTTPSettings(), loop: loop)).revoke(state)
    }

    @Test func revokesTheRefreshTokenFirst() throws {
        let issuer = try FakeIssuer(loop: loop)
        let outcome = try revoke(issuer)
        #expect(outcome.isOffered)
        #expect(outcome.revoked == [.refresh, .access])
        #expect(issuer.revoked.map { $0["token"] } == ["r", "a"])
        #expect(issuer.revoked.map { $0["token_type_hint"] } == ["refresh_token", "access_token"])
        #expect(issuer.revoked.allSatisfy { $0["client_id"] == FakeIssuer.clientID })
    }

    @Test func revokesTheAccessTokenAlone() throws {
        let issuer = try FakeIssuer(loop: loop)
        #expect(try revoke(issuer, refreshToken: nil).revoked == [.access])
    }

    @Test func tellsThatItIsNotOffered() throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.metadataChanges["revocation_endpoint"] = .some(nil)
        let outcome = try revoke(issuer)
        #expect(!outcome.isOffered)
        #expect(issuer.paths() == ["/.well-known/openid-configuration"])
    }

    @Test(arguments: [
        (503, "", ExitCode.temporary), (400, "{\"error\":\"unsupported_token_type\"}", .issuerError),
        (401, "{\"error\":\"invalid_client\"}", .configuration), (302, "", .configuration),
    ])
    func triesTheSecondAlsoWhenTheFirstFails(status: Int, body: String, code: ExitCode) throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.intercept = {
            $0.path == "/oauth/revoke" && $0.body.contains("token=r&")
                ? TestServer.Reply(status: status, body: body) : nil
        }
        let outcome = try revoke(issuer)
        #expect(outcome.revoked == [.access])
        #expect(outcome.failures.map(\.token) == [.refresh])
        #expect(outcome.failures.map { Complaint($0.error).exitCode } == [code])
    }

    @Test func tellsThatTheIssuerIsNotThere() throws {
        let closed = try ClosedPort()
        let issuer = try FakeIssuer(loop: loop)
        issuer.url = "http://127.0.0.1:\(closed.port)"
        #expect(throws: LoginError.self) { try revoke(issuer) }
    }
}
