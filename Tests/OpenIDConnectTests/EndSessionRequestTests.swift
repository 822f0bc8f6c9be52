import OpenIDConnect
import Sensitive
import Testing
import WebAddress

/// T15: signing out at the issuer.
@Suite struct EndSessionRequestTests {
    static func query(idToken: Secret?, redirectURI: String?) throws -> (FormFields, EndSessionRequest) {
        let request = EndSessionRequest(
            endpoint: try Fixtures.url("https://acme.example/oauth/logout?env=test"), clientID: "c", idToken: idToken,
            redirectURI: redirectURI, ceremony: .fixed)
        return (try #require(request.url.query.flatMap { FormFields(parsing: $0) }), request)
    }

    @Test func namesEverything() throws {
        let (query, request) = try Self.query(idToken: Secret("a.b.c"), redirectURI: "http://127.0.0.1:8484/out")
        #expect(query["env"] == "test")
        #expect(query["id_token_hint"] == "a.b.c")
        #expect(query["client_id"] == "c")
        #expect(query["post_logout_redirect_uri"] == "http://127.0.0.1:8484/out")
        #expect(query["state"] == request.state.text)
        #expect(query.repeatedName == nil)
    }

    /// A state is of use only to a redirect, and a hint only to who has one.
    @Test func leavesOutWhatThereIsNot() throws {
        let (query, _) = try Self.query(idToken: nil, redirectURI: nil)
        #expect(query.fields.map(\.name) == ["env", "client_id"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let query: String
        let expected: EndSessionResponse
        var testDescription: String { query.isEmpty ? "(empty)" : query }

        init(_ query: String, _ expected: EndSessionResponse) {
            self.query = query
            self.expected = expected
        }
    }

    /// What comes back: the state before anything else.
    @Test(arguments: [
        Row("state=STATE", .signedOut),
        Row("state=STATE&error=server_error", .refused(OAuthError(code: "server_error"))),
        Row("", .foreign(.noState)),
        Row("error=server_error", .foreign(.noState)),
        Row("state=", .foreign(.wrongState)),
        Row("state=x", .foreign(.wrongState)),
        Row("state=x&error=server_error", .foreign(.wrongState)),
        Row("state=STATE&state=STATE", .foreign(.repeatedParameter("state"))),
        Row("state=STATE&x=%zz", .foreign(.malformed)),
    ])
    func answer(_ row: Row) throws {
        let (_, request) = try Self.query(idToken: nil, redirectURI: "http://127.0.0.1:8484/out")
        let query = row.query.replacing("STATE", with: try #require(request.state.text))
        #expect(EndSessionResponse(reading: FormFields(parsing: query), answering: request) == row.expected)
    }
}
