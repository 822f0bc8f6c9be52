import Configuration
import JOSE
import JSON
import Login
import OpenIDConnect
import Program
import WebAddress

/// An issuer in the test's own loop: real protocol and signatures, and everything about its answers can be bent.
final class FakeIssuer {
    private let loop: EventLoop
    private var server: TestServer?
    private(set) var signingKey: SigningKey
    /// What the key set holds; usually the signing key alone.
    var publishedKeys: [SigningKey]
    var url = ""

    /// Members to set or, with nil, to leave out.
    var metadataChanges: [String: JSONValue?] = [:]
    /// Takes the place of the whole answer when it gives one.
    var intercept: (TestServer.Request) -> TestServer.Reply? = { _ in nil }
    var claimChanges: [String: JSONValue?] = [:]
    var tokenChanges: [String: JSONValue?] = [:]
    /// The query of the redirect, given state and code; the default is a success.
    var redirectQuery: (_ state: String, _ code: String) -> String = { "code=\($1)&state=\($0)" }

    private(set) var lastAuthorization = FormFields()
    private(set) var tokenRequests: [FormFields] = []
    private(set) var revoked: [FormFields] = []
    private var refreshCount = 0

    static let clientID = "test-client"

    init(loop: EventLoop) throws {
        self.loop = loop
        signingKey = try SigningKey(generating: .es256, keyID: "k1")
        publishedKeys = [signingKey]
        let server = try TestServer(loop: loop) { [unowned self] in answer($0) }
        self.server = server
        url = server.url
    }

    var requests: [TestServer.Request] { server?.requests ?? [] }

    func paths() -> [String] { requests.map(\.path) }

    /// A new key; whether it is published is the test's.
    func rotateKey() throws {
        signingKey = try SigningKey(generating: .es256, keyID: "k2")
    }

    func profile() throws -> Profile {
        guard let issuerURL = WebURL(url), let redirect = RedirectURI("http://127.0.0.1/callback") else {
            throw TestFailure("no profile")
        }
        var profile = Profile(name: "test", issuer: url, issuerURL: issuerURL, clientID: Self.clientID)
        profile.redirectURIs = [redirect]
        return profile
    }

    // MARK: Answers

    private func answer(_ request: TestServer.Request) -> TestServer.Reply {
        if let reply = intercept(request) { return reply }
        do {
            switch request.path {
            case "/.well-known/openid-configuration": return try json(metadata)
            case "/.well-known/jwks.json":
                return try json(["keys": .array(publishedKeys.map { .object(try $0.publicJWK) })])
            case "/oauth/authorize": return authorize(request)
            case "/oauth2/token": return try token(request)
            case "/oauth/revoke":
                revoked.append(FormFields(parsing: request.body) ?? FormFields())
                return TestServer.Reply()
            default: return TestServer.Reply(status: 404, body: "<html>no</html>")
            }
        } catch {
            return TestServer.Reply(status: 599, body: "\(error)")
        }
    }

    private func json(_ object: [String: JSONValue?]) throws -> TestServer.Reply {
        let members = object.compactMap { name, value in value.map { JSONObject.Member(name: name, value: $0) } }
        return .json(String(decoding: try JSONValue.object(JSONObject(members)).serialized(), as: UTF8.self))
    }

    private var metadata: [String: JSONValue?] {
        let own: [String: JSONValue?] = [
            "issuer": .string(url), "authorization_endpoint": .string(url + "/oauth/authorize?env=test"),
            "token_endpoint": .string(url + "/oauth2/token?env=test"),
            "jwks_uri": .string(url + "/.well-known/jwks.json"), "revocation_endpoint": .string(url + "/oauth/revoke"),
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256"], "code_challenge_methods_supported": ["S256"],
            "response_types_supported": ["code"],
        ]
        return own.merging(metadataChanges) { $1 }
    }

    private func authorize(_ request: TestServer.Request) -> TestServer.Reply {
        lastAuthorization = FormFields(parsing: request.query) ?? FormFields()
        let target = lastAuthorization["redirect_uri"] ?? ""
        let query = redirectQuery(FormFields.encode(lastAuthorization["state"] ?? ""), "code-1")
        return TestServer.Reply(status: 302, headers: ["Location": "\(target)?\(query)"])
    }

    private func token(_ request: TestServer.Request) throws -> TestServer.Reply {
        let form = FormFields(parsing: request.body) ?? FormFields()
        tokenRequests.append(form)
        let access = "access-\(tokenRequests.count)"
        let isRefresh = form["grant_type"] == "refresh_token"
        var body: [String: JSONValue?] = [
            "access_token": .string(access), "token_type": "Bearer", "expires_in": 3600,
            "refresh_token": .string("refresh-\(tokenRequests.count)"),
            "id_token": .string(try idToken(nonce: isRefresh ? nil : lastAuthorization["nonce"])),
        ]
        body.merge(tokenChanges) { $1 }
        return try json(body)
    }

    func idToken(nonce: String?) throws -> String {
        let now = Clock.now()
        var claims: [String: JSONValue?] = [
            "iss": .string(url), "sub": "alice", "aud": .string(Self.clientID), "iat": .integer(now),
            "exp": .integer(now + 600), "email": "alice@example.com", "nonce": nonce.map { .string($0) },
        ]
        claims.merge(claimChanges) { $1 }
        let members = claims.compactMap { name, value in value.map { JSONObject.Member(name: name, value: $0) } }
        return try signingKey.sign(payload: JSONObject(members))
    }
}
