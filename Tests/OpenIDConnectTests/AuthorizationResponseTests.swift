import OpenIDConnect
import Sensitive
import Testing
import WebAddress

/// L7 to L9: what a request to the redirect URI means.
@Suite struct AuthorizationResponseTests {
    static let state = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let query: String
        let expected: AuthorizationResponse
        var requiresIssuer = false
        var testDescription: String { name }

        init(_ name: String, _ query: String, _ expected: AuthorizationResponse, requiresIssuer: Bool = false) {
            self.name = name
            self.query = query.replacing("STATE", with: AuthorizationResponseTests.state)
            self.expected = expected
            self.requiresIssuer = requiresIssuer
        }
    }

    static func read(_ row: Row) -> AuthorizationResponse {
        AuthorizationResponse.read(
            FormFields(parsing: row.query), state: Secret(state), issuer: Fixtures.issuer,
            requiresIssuer: row.requiresIssuer)
    }

    static let good: [Row] = [
        Row("code", "code=abc&state=STATE", .code(Secret("abc"))),
        Row("state first", "state=STATE&code=abc", .code(Secret("abc"))),
        Row("code with encoded characters", "code=a%2Fb%3D+c&state=STATE", .code(Secret("a/b= c"))),
        Row("unknown parameters", "code=abc&state=STATE&session_state=x&scope=openid", .code(Secret("abc"))),
        Row("issuer given", "code=abc&state=STATE&iss=https%3A%2F%2Facme.example", .code(Secret("abc"))),
        Row(
            "issuer given and promised", "code=abc&state=STATE&iss=https%3A%2F%2Facme.example", .code(Secret("abc")),
            requiresIssuer: true),
        Row("empty error is no error", "code=abc&state=STATE&error=", .code(Secret("abc"))),
    ]

    @Test(arguments: good) func takesACode(_ row: Row) {
        #expect(Self.read(row) == row.expected)
    }

    static let refused: [Row] = [
        Row("denied", "error=access_denied&state=STATE", .refused(OAuthError(code: "access_denied"))),
        Row(
            "denied with a text", "error=access_denied&error_description=the+person+said+no&state=STATE",
            .refused(OAuthError(code: "access_denied", detail: "the person said no"))),
        Row("silent login", "error=login_required&state=STATE", .refused(OAuthError(code: "login_required"))),
        Row(
            "error wins over a code", "code=abc&error=server_error&state=STATE",
            .refused(OAuthError(code: "server_error"))),
        Row(
            "error with the promised issuer", "error=access_denied&state=STATE&iss=https://acme.example",
            .refused(OAuthError(code: "access_denied")), requiresIssuer: true),
    ]

    @Test(arguments: refused) func takesARefusal(_ row: Row) {
        #expect(Self.read(row) == row.expected)
    }

    /// Whoever sent these does not know our state: the login goes on waiting, whatever else they say.
    static let foreign: [Row] = [
        Row("nothing", "", .foreign(.noState)),
        Row("broken escape", "code=%zz&state=STATE", .foreign(.malformed)),
        Row("cut escape", "code=abc&state=STATE&x=%2", .foreign(.malformed)),
        Row("NUL", "code=a%00b&state=STATE", .foreign(.malformed)),
        Row("bytes that are not UTF-8", "code=%FF&state=STATE", .foreign(.malformed)),
        Row("code without state", "code=abc", .foreign(.noState)),
        Row("error without state", "error=access_denied", .foreign(.noState)),
        Row("error and issuer without state", "error=access_denied&iss=https://acme.example", .foreign(.noState)),
        Row("empty state", "code=abc&state=", .foreign(.wrongState)),
        Row("other state", "code=abc&state=x", .foreign(.wrongState)),
        Row("state cut by one", "code=abc&state=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh", .foreign(.wrongState)),
        Row("state and one more", "code=abc&state=STATEA", .foreign(.wrongState)),
        Row(
            "state in other letters", "code=abc&state=aaecawqfbgcicqoldA0ODxAREhMUFRYXGBkaGxwdHh8",
            .foreign(.wrongState)),
        Row("state with a blank", "code=abc&state=STATE%20", .foreign(.wrongState)),
        Row("error with other state", "error=access_denied&state=x", .foreign(.wrongState)),
        Row("other issuer with other state", "code=abc&state=x&iss=https://evil.example", .foreign(.wrongState)),
        Row("State for state", "code=abc&State=STATE", .foreign(.noState)),
        Row("state twice, both ours", "code=abc&state=STATE&state=STATE", .foreign(.repeatedParameter("state"))),
        Row("state twice, one ours", "code=abc&state=STATE&state=x", .foreign(.repeatedParameter("state"))),
        Row("code twice", "code=abc&code=def&state=STATE", .foreign(.repeatedParameter("code"))),
        Row("code twice, once encoded", "code=abc&c%6Fde=def&state=STATE", .foreign(.repeatedParameter("code"))),
        Row("error twice", "error=a&error=b&state=STATE", .foreign(.repeatedParameter("error"))),
        Row(
            "iss twice", "code=abc&state=STATE&iss=https://acme.example&iss=https://evil.example",
            .foreign(.repeatedParameter("iss"))),
        Row("unknown parameter twice", "code=abc&state=STATE&x=1&x=2", .foreign(.repeatedParameter("x"))),
        Row("state alone", "state=STATE", .foreign(.empty)),
        Row("empty code", "code=&state=STATE", .foreign(.empty)),
        Row("token of the implicit flow", "access_token=abc&state=STATE", .foreign(.empty)),
    ]

    @Test(arguments: foreign) func goesOnWaiting(_ row: Row) {
        #expect(Self.read(row) == row.expected)
    }

    /// RFC 9207 section 2.4: our state, yet from somebody else. Error answers too.
    static let unacceptable: [Row] = [
        Row("other issuer", "code=abc&state=STATE&iss=https://evil.example", mismatch("https://evil.example")),
        Row(
            "other issuer, issuer promised", "code=abc&state=STATE&iss=https://evil.example",
            mismatch("https://evil.example"), requiresIssuer: true),
        Row("issuer with a slash", "code=abc&state=STATE&iss=https://acme.example/", mismatch("https://acme.example/")),
        Row("issuer in capitals", "code=abc&state=STATE&iss=https://ACME.example", mismatch("https://ACME.example")),
        Row("issuer over http", "code=abc&state=STATE&iss=http://acme.example", mismatch("http://acme.example")),
        Row("empty issuer", "code=abc&state=STATE&iss=", mismatch("")),
        Row(
            "error of another issuer", "error=access_denied&state=STATE&iss=https://evil.example",
            mismatch("https://evil.example")),
        Row(
            "promised issuer absent", "code=abc&state=STATE",
            .unacceptable(.issuerMissing(expected: Fixtures.issuer)), requiresIssuer: true),
        Row(
            "promised issuer absent in an error", "error=access_denied&state=STATE",
            .unacceptable(.issuerMissing(expected: Fixtures.issuer)), requiresIssuer: true),
    ]

    static func mismatch(_ found: String) -> AuthorizationResponse {
        .unacceptable(.issuerMismatch(expected: Fixtures.issuer, found: found))
    }

    @Test(arguments: unacceptable) func endsTheLogin(_ row: Row) {
        #expect(Self.read(row) == row.expected)
    }

    /// "K" and the Kelvin sign are equal to Swift and to nobody else.
    @Test func comparesTheIssuerByBytes() {
        let found = AuthorizationResponse.read(
            FormFields(parsing: "code=a&state=s&iss=https://acme.example/%E2%84%AA"), state: Secret("s"),
            issuer: "https://acme.example/K", requiresIssuer: false)
        #expect(found != .code(Secret("a")))
    }

    /// The rules come from the request and its metadata.
    @Test func answersItsRequest() throws {
        let request = AuthorizationRequest(
            metadata: try Fixtures.metadata(#","authorization_response_iss_parameter_supported":true"#), clientID: "c",
            redirectURI: "http://127.0.0.1:1/", scopes: ["openid"], parameters: FormFields(), ceremony: .fixed)
        let state = try #require(request.state.text)
        let without = FormFields(["code": "abc", "state": state])
        #expect(
            AuthorizationResponse(reading: without, answering: request)
                == .unacceptable(.issuerMissing(expected: Fixtures.issuer)))
        let complete = FormFields(["code": "abc", "state": state, "iss": Fixtures.issuer])
        #expect(AuthorizationResponse(reading: complete, answering: request) == .code(Secret("abc")))
        #expect(AuthorizationResponse(reading: nil, answering: request) == .foreign(.malformed))
    }

    @Test func saysWhatDiffers() {
        typealias Fault = AuthorizationResponse.Unacceptable
        let mismatch = Fault.issuerMismatch(expected: "https://a.example", found: "https://b.example").description
        #expect(mismatch.contains(#""https://a.example""#) && mismatch.contains(#""https://b.example""#))
        #expect(Fault.issuerMissing(expected: "https://a.example").description.contains(#""https://a.example""#))
    }
}
