import OpenIDConnect
import Sensitive
import Testing
import WebAddress

@Suite struct AuthorizationRequestTests {
    static func request(_ parameters: FormFields = FormFields()) throws -> AuthorizationRequest {
        AuthorizationRequest(
            metadata: try Fixtures.metadata(), clientID: Fixtures.clientID,
            redirectURI: "http://127.0.0.1:8484/callback", scopes: ["openid", "profile"], parameters: parameters,
            ceremony: .fixed)
    }

    static func query(_ request: AuthorizationRequest) throws -> FormFields {
        try #require(request.url.query.flatMap { FormFields(parsing: $0) })
    }

    @Test func carriesTheProtocolParameters() throws {
        let request = try Self.request()
        let query = try Self.query(request)
        #expect(query["response_type"] == "code")
        #expect(query["client_id"] == Fixtures.clientID)
        #expect(query["redirect_uri"] == "http://127.0.0.1:8484/callback")
        #expect(query["scope"] == "openid profile")
        #expect(query["state"] == request.state.text)
        #expect(query["nonce"] == request.nonce.text)
        #expect(query["code_challenge"] == request.verifier.challenge)
        #expect(query["code_challenge_method"] == "S256")
        #expect(query.repeatedName == nil)
    }

    /// L5: the verifier stays here.
    @Test func neverSendsTheVerifier() throws {
        let request = AuthorizationRequest(
            metadata: try Fixtures.metadata(), clientID: "c", redirectURI: "http://127.0.0.1:1/", scopes: [],
            parameters: FormFields(), ceremony: Self.counting())
        let verifier = try #require(request.verifier.secret.text)
        #expect(!request.url.description.contains(verifier))
        #expect(try Self.query(request)["code_verifier"] == nil)
    }

    /// L6: 256 bits each, and each its own.
    @Test func stateNonceAndVerifierDiffer() throws {
        let request = AuthorizationRequest(
            metadata: try Fixtures.metadata(), clientID: "c", redirectURI: "http://127.0.0.1:1/", scopes: [],
            parameters: FormFields(), ceremony: Self.counting())
        #expect(request.state != request.nonce)
        #expect(request.nonce != request.verifier.secret)
        #expect(request.state != request.verifier.secret)
        for token in [request.state, request.nonce, request.verifier.secret] { #expect(token.count == 43) }
    }

    /// RFC 6749 section 3.1: an endpoint's own query is kept.
    @Test func keepsTheQueryOfTheEndpoint() throws {
        let url = try Self.request().url.description
        #expect(url.hasPrefix("https://acme.example/oauth/authorize?env=test&response_type=code&client_id="))
    }

    @Test func addsFreeParametersInOrder() throws {
        let asked = FormFields(["connection": "google", "ui_locales": "de en", "prompt": "login", "x": "a&b=c"])
        let request = try Self.request(asked)
        #expect(request.parameters == asked)
        #expect(try Self.query(request).fields.suffix(4).map(\.value) == ["google", "de en", "login", "a&b=c"])
    }

    @Test(arguments: [
        "response_type", "response_mode", "client_id", "client_secret", "redirect_uri", "scope", "state", "nonce",
        "code_challenge", "code_challenge_method", "request", "request_uri",
        "id_token_hint",
    ])
    func noFreeParameterReplacesAProtocolOne(name: String) throws {
        let request = try Self.request(FormFields([name: "evil", "connection": "google"]))
        let query = try Self.query(request)
        #expect(query[name] != "evil")
        #expect(query.fields.filter { $0.name == name }.count <= 1)
        #expect(query["connection"] == "google")
    }

    /// Hosts may take an ID token for a password: what a terminal shows must not hold it.
    @Test func idTokenHintIsForTheBrowserAlone() throws {
        let request = AuthorizationRequest(
            metadata: try Fixtures.metadata(), clientID: "c", redirectURI: "http://127.0.0.1:1/", scopes: [],
            parameters: FormFields(["prompt": "none"]), idTokenHint: Secret("id.to.ken"), ceremony: Self.counting())
        #expect(!request.url.description.contains("id.to.ken"))
        #expect(request.browserURL.description == request.url.description + "&id_token_hint=id.to.ken")
        #expect(try Self.request().browserURL == Self.request().url)
    }

    /// Printing a request must not print what only the redirect may carry.
    @Test func printsNoSecret() throws {
        let request = try Self.request()
        let state = try #require(request.state.text)
        #expect(!"\(request)".contains(state))
        #expect(!String(reflecting: request).contains(state))
    }

    /// A generator that never gives the same bytes twice.
    private static func counting() -> Ceremony {
        let counter = Counter()
        return Ceremony(
            randomBytes: { count in [UInt8](repeating: counter.next(), count: count) }, digest: Ceremony.fixed.digest)
    }

    /// Used by one test at a time, on its own thread.
    private final class Counter: @unchecked Sendable {
        private var value: UInt8 = 0
        func next() -> UInt8 {
            value += 1
            return value
        }
    }
}
