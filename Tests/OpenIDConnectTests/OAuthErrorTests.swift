import OpenIDConnect
import Testing
import WebAddress

@Suite struct OAuthErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let body: String
        let expected: OAuthError?
        var testDescription: String { name }

        init(_ name: String, _ body: String, _ expected: OAuthError? = nil) {
            self.name = name
            self.body = body
            self.expected = expected
        }
    }

    @Test(arguments: [
        Row("code alone", #"{"error":"invalid_grant"}"#, OAuthError(code: "invalid_grant")),
        Row(
            "code and text", #"{"error":"invalid_grant","error_description":"spent"}"#,
            OAuthError(code: "invalid_grant", detail: "spent")),
        Row(
            "text that is no string", #"{"error":"invalid_grant","error_description":[1]}"#,
            OAuthError(code: "invalid_grant")),
        Row("a code of its own", #"{"error":"urn:acme:blocked"}"#, OAuthError(code: "urn:acme:blocked")),
    ])
    func readsABody(_ row: Row) throws {
        #expect(OAuthError(try Fixtures.object(row.body)) == row.expected)
    }

    /// A body without a string `error` is no OAuth error: the state is kept.
    @Test(arguments: [
        Row("nothing", "{}"),
        Row("the older API", #"{"code":400,"message":"bad","description":"really bad"}"#),
        Row("empty error", #"{"error":""}"#),
        Row("null", #"{"error":null}"#),
        Row("number", #"{"error":400}"#),
        Row("boolean", #"{"error":true}"#),
        Row("object", #"{"error":{"code":"invalid_grant"}}"#),
        Row("list", #"{"error":["invalid_grant"]}"#),
        Row("text alone", #"{"error_description":"spent"}"#),
        Row("other case", #"{"Error":"invalid_grant"}"#),
    ])
    func isNoOAuthError(_ row: Row) throws {
        #expect(OAuthError(try Fixtures.object(row.body)) == nil)
    }

    struct Meaning: Sendable, CustomTestStringConvertible {
        let code: String
        let meaning: OAuthError.Meaning
        var testDescription: String { code }
    }

    /// Only `invalid_grant` ends a login.
    @Test(arguments: [
        Meaning(code: "invalid_grant", meaning: .grantRefused),
        Meaning(code: "invalid_client", meaning: .configuration),
        Meaning(code: "unauthorized_client", meaning: .configuration),
        Meaning(code: "invalid_scope", meaning: .configuration),
        Meaning(code: "temporarily_unavailable", meaning: .transient),
        Meaning(code: "slow_down", meaning: .transient),
        Meaning(code: "server_error", meaning: .transient),
        Meaning(code: "invalid_request", meaning: .other),
        Meaning(code: "unsupported_grant_type", meaning: .other),
        Meaning(code: "access_denied", meaning: .other),
        Meaning(code: "INVALID_GRANT", meaning: .other),
        Meaning(code: "invalid_grant ", meaning: .other),
    ])
    func means(_ row: Meaning) {
        #expect(OAuthError(code: row.code).meaning == row.meaning)
    }

    @Test func readsARedirect() {
        #expect(
            OAuthError(FormFields(["error": "access_denied", "error_description": "no"]))
                == OAuthError(code: "access_denied", detail: "no"))
        #expect(OAuthError(FormFields(["error": ""])) == nil)
        #expect(OAuthError(FormFields(["code": "x"])) == nil)
    }

    @Test func saysCodeAndText() {
        #expect(OAuthError(code: "a").description == "a")
        #expect(OAuthError(code: "a", detail: "b").description == "a (b)")
    }
}
