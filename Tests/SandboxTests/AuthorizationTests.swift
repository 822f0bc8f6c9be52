import JSON
import Sandbox
import Testing
import WebAddress

/// What the authorization endpoint turns down.
@Suite struct AuthorizationTests {
    static let sandbox = Result { try RunningSandbox(["--auto", "alice@example.com"]) }

    struct PageRow: Sendable, CustomTestStringConvertible {
        let name: String
        var changes: [String: String?] = [:]
        var extra = ""
        var testDescription: String { name }
    }

    /// Nobody can be told but the person: a page with 400, no redirect.
    @Test(arguments: [
        PageRow(name: "no client id", changes: ["client_id": nil]),
        PageRow(name: "unknown client", changes: ["client_id": "other"]),
        PageRow(name: "no redirect URI", changes: ["redirect_uri": nil]),
        PageRow(name: "another machine", changes: ["redirect_uri": "http://192.0.2.1:8000/callback"]),
        PageRow(name: "a look-alike of loopback", changes: ["redirect_uri": "http://127.0.0.1.example/callback"]),
        PageRow(name: "loopback as user name", changes: ["redirect_uri": "http://127.0.0.1@evil.example/callback"]),
        PageRow(name: "https on loopback", changes: ["redirect_uri": "https://127.0.0.1:8000/callback"]),
        PageRow(name: "a custom scheme", changes: ["redirect_uri": "com.example.app:/callback"]),
        PageRow(name: "with a fragment", changes: ["redirect_uri": "http://127.0.0.1:8000/callback#x"]),
        PageRow(name: "with user information", changes: ["redirect_uri": "http://a:b@127.0.0.1:8000/callback"]),
        PageRow(name: "state twice", extra: "&state=other"),
        PageRow(name: "client id twice", extra: "&client_id=mojoauth-cli"),
        PageRow(name: "NUL in a parameter", extra: "&x=%00"),
        PageRow(name: "parameter that is not UTF-8", extra: "&x=%FF"),
    ])
    func refusesWithAPage(_ row: PageRow) throws {
        var client = try TestClient(try Self.sandbox.get())
        let answer = try client.send("GET", client.authorization(row.changes, extra: row.extra))
        #expect(answer.status == 400)
        #expect(answer.values("Location").isEmpty)
    }

    struct ErrorRow: Sendable, CustomTestStringConvertible {
        let name: String
        var changes: [String: String?]
        let error: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        ErrorRow(name: "no PKCE", changes: ["code_challenge": nil], error: "invalid_request"),
        ErrorRow(name: "PKCE plain", changes: ["code_challenge_method": "plain"], error: "invalid_request"),
        ErrorRow(name: "PKCE without method", changes: ["code_challenge_method": nil], error: "invalid_request"),
        ErrorRow(name: "short challenge", changes: ["code_challenge": "abc"], error: "invalid_request"),
        ErrorRow(name: "implicit flow", changes: ["response_type": "token"], error: "unsupported_response_type"),
        ErrorRow(name: "no response type", changes: ["response_type": nil], error: "unsupported_response_type"),
        ErrorRow(name: "fragment mode", changes: ["response_mode": "fragment"], error: "invalid_request"),
        ErrorRow(name: "unknown scope", changes: ["scope": "openid admin"], error: "invalid_scope"),
        ErrorRow(name: "no scope", changes: ["scope": nil], error: "invalid_scope"),
        ErrorRow(name: "none with login", changes: ["prompt": "none login"], error: "invalid_request"),
        ErrorRow(name: "max_age is a word", changes: ["max_age": "soon"], error: "invalid_request"),
        ErrorRow(name: "max_age is negative", changes: ["max_age": "-1"], error: "invalid_request"),
        ErrorRow(name: "silent, nobody there", changes: ["prompt": "none"], error: "login_required"),
    ])
    func refusesThroughTheRedirect(_ row: ErrorRow) throws {
        var client = try TestClient(try Self.sandbox.get())
        let response = try client.response(in: try client.send("GET", client.authorization(row.changes)))
        #expect(response["error"] == row.error)
        #expect(response["state"] == "the-state")
        #expect(response["iss"] == client.sandbox.issuer)
        #expect(response["code"] == nil)
    }

    @Test func aRegisteredURIIsComparedWhole() throws {
        let registered = "http://127.0.0.1:8400/callback"
        var client = try TestClient(
            try RunningSandbox(["--auto", "alice@example.com", "--redirect-uri", registered]))
        #expect(try client.send("GET", client.authorization(["redirect_uri": registered])).status == 303)
        for other in [registered + "/", registered + "?", registered.uppercased(), "http://127.0.0.1:8401/callback"] {
            #expect(try client.send("GET", client.authorization(["redirect_uri": other])).status == 400, "\(other)")
        }
    }

    @Test func theQueryOfTheRedirectURIStays() throws {
        var client = try TestClient(try Self.sandbox.get())
        let answer = try client.send("GET", client.authorization(["redirect_uri": client.redirectURI + "?a=b"]))
        #expect(answer.values("Location").first?.hasPrefix(client.redirectURI + "?a=b&code=") == true)
    }

    @Test func formPostIsAPageWithABUtton() throws {
        var client = try TestClient(try Self.sandbox.get())
        let page = try client.send("GET", client.authorization(["response_mode": "form_post"]))
        #expect(page.status == 200)
        #expect(page.text.contains(#"<form method="post" action="\#(client.redirectURI)">"#))
        #expect(page.text.contains(#"name="state" value="the-state""#) && page.text.contains(#"id="continue""#))
    }

    @Test func environmentQuery() throws {
        var client = try TestClient(try RunningSandbox(["--auto", "alice@example.com", "--env-query"]))
        let metadata = try client.object(of: try client.send("GET", "/.well-known/openid-configuration"))
        for member in metadata.members where member.name.hasSuffix("_endpoint") || member.name == "jwks_uri" {
            #expect(member.value.string?.hasSuffix("?env=test") == true, "\(member.name)")
        }
        #expect(try client.send("GET", client.authorization()).status == 400)
        #expect(try client.send("GET", client.authorization(extra: "&env=test")).status == 303)
        #expect(try client.send("GET", "/.well-known/jwks.json").status == 400)
        #expect(try client.send("GET", "/.well-known/jwks.json?env=test").status == 200)
    }
}
