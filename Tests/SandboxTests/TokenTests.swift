import JSON
import Program
import Sandbox
import Testing
import WebAddress

/// The token endpoint: codes once, refresh tokens in families, revocation, introspection.
@Suite struct TokenTests {
    static let sandbox = Result { try RunningSandbox(["--auto", "alice@example.com"]) }

    private func client() throws -> TestClient { try TestClient(try Self.sandbox.get()) }

    struct BadRow: Sendable, CustomTestStringConvertible {
        let name: String
        let error: String
        /// Of a good redemption; nil leaves a field out.
        let changes: [String: String?]
        var testDescription: String { name }
    }

    @Test(arguments: [
        BadRow(name: "no grant type", error: "invalid_request", changes: ["grant_type": nil]),
        BadRow(name: "password grant", error: "unsupported_grant_type", changes: ["grant_type": "password"]),
        BadRow(name: "no client", error: "invalid_client", changes: ["client_id": nil]),
        BadRow(name: "other client", error: "invalid_client", changes: ["client_id": "other"]),
        BadRow(name: "unknown code", error: "invalid_grant", changes: ["code": "guess"]),
        BadRow(name: "no code", error: "invalid_grant", changes: ["code": nil]),
        BadRow(name: "other redirect URI", error: "invalid_grant", changes: ["redirect_uri": "http://127.0.0.1/"]),
        BadRow(name: "no redirect URI", error: "invalid_grant", changes: ["redirect_uri": nil]),
        BadRow(name: "no verifier", error: "invalid_grant", changes: ["code_verifier": nil]),
        BadRow(
            name: "the challenge as verifier", error: "invalid_grant", changes: ["code_verifier": TestClient.challenge]),
        BadRow(
            name: "unknown refresh token", error: "invalid_grant",
            changes: ["grant_type": "refresh_token", "refresh_token": "x"]),
        BadRow(name: "no refresh token", error: "invalid_grant", changes: ["grant_type": "refresh_token"]),
        BadRow(
            name: "unknown device code", error: "invalid_grant",
            changes: ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "x"]),
    ])
    func refuses(_ row: BadRow) throws {
        var client = try client()
        var form = FormFields()
        for field in client.redemption(of: try client.code()).fields where row.changes[field.name] == nil {
            form.append(field.name, field.value)
        }
        for (name, value) in row.changes { form.append(name, value) }
        let answer = try client.token(form)
        #expect(client.error(of: answer) == row.error)
        #expect(answer.status == (row.error == "invalid_client" ? 401 : 400))
    }

    @Test func aCodeUsedTwiceEndsEverything() throws {
        var client = try client()
        let code = try client.code()
        let tokens = try client.object(of: try client.token(client.redemption(of: code)))
        #expect(client.error(of: try client.token(client.redemption(of: code))) == "invalid_grant")
        let refreshToken = try #require(tokens["refresh_token"]?.string)
        #expect(client.error(of: try client.token(client.refresh(with: refreshToken))) == "invalid_grant")
        let accessToken = try #require(tokens["access_token"]?.string)
        #expect(
            try client.send("GET", "/oauth/userinfo", headers: [("Authorization", "Bearer \(accessToken)")]).status
                == 401)
    }

    @Test func refreshRotatesAndReuseEndsTheFamily() throws {
        var client = try client()
        let first = try #require(try client.logIn()["refresh_token"]?.string)
        let second = try #require(
            try client.object(of: try client.token(client.refresh(with: first)))["refresh_token"]?.string)
        #expect(second != first)
        let third = try #require(
            try client.object(of: try client.token(client.refresh(with: second)))["refresh_token"]?.string)
        #expect(client.error(of: try client.token(client.refresh(with: first))) == "invalid_grant")
        #expect(client.error(of: try client.token(client.refresh(with: third))) == "invalid_grant")
    }

    @Test func graceTakesTheTokenBefore() throws {
        var client = try TestClient(try RunningSandbox(["--auto", "alice@example.com", "--grace", "60"]))
        let first = try #require(try client.logIn()["refresh_token"]?.string)
        let second = try client.object(of: try client.token(client.refresh(with: first)))["refresh_token"]?.string
        let again = try client.object(of: try client.token(client.refresh(with: first)))["refresh_token"]?.string
        #expect(second == again && second != first)
    }

    @Test func withoutRotationTheTokenStays() throws {
        var client = try TestClient(try RunningSandbox(["--auto", "alice@example.com", "--no-rotation"]))
        let first = try #require(try client.logIn()["refresh_token"]?.string)
        for _ in 0..<3 {
            let next = try client.object(of: try client.token(client.refresh(with: first)))["refresh_token"]?.string
            #expect(next == first)
        }
    }

    @Test func refreshTokensExpire() throws {
        var client = try TestClient(try RunningSandbox(["--auto", "alice@example.com", "--refresh-lifetime", "0"]))
        let token = try #require(try client.logIn()["refresh_token"]?.string)
        #expect(client.error(of: try client.token(client.refresh(with: token))) == "invalid_grant")
    }

    @Test func aScopeIsNarrowedButNotWidened() throws {
        var client = try client()
        let token = try #require(try client.logIn(["scope": "openid offline_access"])["refresh_token"]?.string)
        var wide = client.refresh(with: token)
        wide.append("scope", "openid email")
        #expect(client.error(of: try client.token(wide)) == "invalid_scope")
        var narrow = client.refresh(with: token)
        narrow.append("scope", "openid")
        #expect(try client.object(of: try client.token(narrow))["scope"]?.string == "openid")
    }

    @Test func noRefreshTokenWithoutOfflineAccess() throws {
        var client = try client()
        #expect(try client.logIn(["scope": "openid"])["refresh_token"] == nil)
    }

    @Test func audienceAndResourceBecomeTheAudience() throws {
        var client = try client()
        let tokens = try client.logIn(["audience": "https://git.example"])
        func audience(_ tokens: JSONObject) throws -> JSONValue? {
            try TestClient.part(1, of: tokens["access_token"]?.string ?? "")["aud"]
        }
        #expect(try audience(tokens) == "https://git.example")
        var refresh = client.refresh(with: tokens["refresh_token"]?.string ?? "")
        refresh.append("resource", "https://a.example")
        refresh.append("resource", "https://b.example")
        #expect(
            try audience(try client.object(of: try client.token(refresh))) == [
                "https://a.example", "https://b.example",
            ])
    }

    @Test func acrAndLifetime() throws {
        var client = try TestClient(try RunningSandbox(["--auto", "alice@example.com", "--access-lifetime", "7"]))
        let tokens = try client.logIn(["acr_values": "gold silver"])
        #expect(tokens["expires_in"] == 7)
        let claims = try TestClient.part(1, of: tokens["id_token"]?.string ?? "")
        #expect(claims["acr"] == "gold")
        #expect((claims["exp"]?.integer ?? 0) - (claims["iat"]?.integer ?? 0) == 7)
    }

    @Test func revocationAndIntrospection() throws {
        var client = try client()
        let tokens = try client.logIn()
        let accessToken = tokens["access_token"]?.string ?? ""
        let refreshToken = tokens["refresh_token"]?.string ?? ""
        func isActive(_ token: String) throws -> Bool? {
            let answer = try client.send("POST", "/oauth2/introspect", form: FormFields(["token": token]))
            return try client.object(of: answer)["active"]?.bool
        }
        func revoke(_ token: String) throws -> Int {
            let form = FormFields(["token": token, "client_id": "mojoauth-cli"])
            return try client.send("POST", "/oauth2/revoke", form: form).status
        }
        #expect(try isActive(accessToken) == true && isActive(refreshToken) == true && isActive("x") == false)
        #expect(try revoke(accessToken) == 200)
        #expect(try isActive(accessToken) == false && isActive(refreshToken) == true)
        #expect(try revoke(refreshToken) == 200 && revoke("unknown") == 200)
        #expect(try isActive(refreshToken) == false)
        #expect(client.error(of: try client.token(client.refresh(with: refreshToken))) == "invalid_grant")
        #expect(try client.send("POST", "/oauth2/revoke", form: FormFields(["token": "x"])).status == 401)
        #expect(
            try client.send("POST", "/oauth2/revoke", form: FormFields(["client_id": "mojoauth-cli"])).status == 400)
    }

    @Test(arguments: ["/oauth2/token", "/oauth2/revoke", "/oauth2/introspect", "/oauth2/device"])
    func formsArePosted(_ path: String) throws {
        var client = try client()
        #expect(try client.send("GET", path).status == 405)
        #expect(try client.send("POST", path).status == 400)
    }
}
