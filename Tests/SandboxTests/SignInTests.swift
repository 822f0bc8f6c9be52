import JOSE
import JSON
import OpenIDConnect
import Program
import Sandbox
import Testing
import WebAddress

/// The pages, walked by the scripted browser and by hand.
@Suite struct SignInTests {
    @Test func scriptedBrowserSignsInAndTokensVerify() throws {
        let sandbox = try RunningSandbox()
        var client = try TestClient(sandbox)
        var browser = try ScriptedBrowser(visitor: Visitor(email: "Bob.Builder@example.com"))
        let page = try browser.visit(sandbox.issuer + client.authorization())
        let response = try #require(FormFields(parsing: page.url.query ?? ""))
        #expect(response["state"] == "the-state")
        #expect(response["iss"] == sandbox.issuer)

        let tokens = try client.object(of: try client.token(client.redemption(of: try #require(response["code"]))))
        let keys = try KeySet(parsing: try client.send("GET", "/.well-known/jwks.json").body)
        let idToken = try #require(tokens["id_token"]?.string)
        let claims = try #require(try JSONValue(parsing: keys.verify(idToken, allowed: [.rs256]).payload).object)
        #expect(claims["iss"]?.string == sandbox.issuer)
        #expect(claims["aud"]?.string == "mojoauth-cli")
        #expect(claims["nonce"]?.string == "the-nonce")
        #expect(claims["email"]?.string == "bob.builder@example.com")
        #expect(claims["name"]?.string == "Bob Builder")
        #expect(claims["email_verified"]?.bool == true)
        #expect(claims["auth_time"]?.integer != nil && claims["at_hash"]?.string?.utf8.count == 22)

        let accessToken = try #require(tokens["access_token"]?.string)
        let verified = try keys.verify(accessToken, allowed: [.rs256], types: ["at+jwt"])
        let access = try #require(try JSONValue(parsing: verified.payload).object)
        #expect(access["aud"]?.string == sandbox.issuer)
        #expect(access["sub"] == claims["sub"])
        #expect(access["scope"]?.string == TestClient.scopes)
        let userinfo = try client.object(
            of: try client.send("GET", "/oauth/userinfo", headers: [("Authorization", "Bearer \(accessToken)")]))
        #expect(userinfo["sub"] == claims["sub"] && userinfo["email"] == claims["email"])
    }

    @Test func denyingSendsAccessDenied() throws {
        let sandbox = try RunningSandbox()
        var browser = try ScriptedBrowser(visitor: Visitor(email: "bob@example.com", denies: true))
        let page = try browser.visit(sandbox.issuer + (try TestClient(sandbox)).authorization())
        let response = try #require(FormFields(parsing: page.url.query ?? ""))
        #expect(response["error"] == "access_denied")
        #expect(response["state"] == "the-state" && response["iss"] == sandbox.issuer)
    }

    @Test func secondLoginIsSilentAndPromptsAreObeyed() throws {
        let sandbox = try RunningSandbox(["--auto", "alice@example.com"])
        var client = try TestClient(sandbox)
        let error = try client.response(in: try client.send("GET", client.authorization(["prompt": "none"])))["error"]
        #expect(error == "login_required")
        _ = try client.code(["scope": "openid"])
        _ = try client.code(["scope": "openid", "prompt": "none"])
        _ = try client.code(["scope": "openid", "prompt": "none", "max_age": "600"])
        for changes in [["max_age": "0"], ["scope": "openid email"]] {
            var asked: [String: String?] = ["scope": "openid", "prompt": "none"]
            for (name, value) in changes { asked[name] = .some(value) }
            let refused = try client.response(in: try client.send("GET", client.authorization(asked)))["error"]
            #expect(refused == (changes["scope"] == nil ? "login_required" : "consent_required"))
        }
    }

    @Test func pagesAreShownForPromptsDespiteASession() throws {
        let sandbox = try RunningSandbox()
        var client = try TestClient(sandbox)
        try signIn(&client)
        for (prompt, title) in [("login", "Sign in"), ("select_account", "Sign in"), ("consent", "Allow access?")] {
            let answer = try client.send("GET", client.authorization(["prompt": prompt]))
            let page = try client.send("GET", try #require(answer.values("Location").first))
            #expect(page.text.contains("<h1>\(title)</h1>"), "\(prompt)")
        }
    }

    /// Walks the pages by hand.
    private func signIn(_ client: inout TestClient) throws {
        let flow = try #require(try client.send("GET", client.authorization()).values("Location").first)
        var form = try formToken(try client.send("GET", flow).text)
        #expect(
            try client.send("POST", flow, form: fields(form, "identify", ["email": "eve@example.com"])).status == 303)
        let page = try client.send("GET", flow).text
        form = try formToken(page)
        let code = try #require(text(page, after: #"id="shown-code">"#))
        #expect(try client.send("POST", flow, form: fields(form, "verify", ["code": code])).status == 303)
        let last = try client.send("POST", flow, form: fields(form, "consent", ["decision": "allow"]))
        #expect(try client.response(in: last)["code"] != nil)
    }

    @Test func formsOfOthersAndOfOtherBrowsersAreRefused() throws {
        let sandbox = try RunningSandbox()
        var client = try TestClient(sandbox)
        let flow = try #require(try client.send("GET", client.authorization()).values("Location").first)
        let form = try formToken(try client.send("GET", flow).text)
        let email = ["email": "eve@example.com"] as KeyValuePairs
        #expect(try client.send("POST", flow, form: fields("guessed", "identify", email)).status == 403)
        #expect(try client.send("POST", flow, form: FormFields(["email": "eve@example.com"])).status == 403)
        var stranger = try TestClient(sandbox)
        #expect(try stranger.send("GET", flow).status == 400)
        #expect(try stranger.send("POST", flow, form: fields(form, "identify", email)).status == 400)
        #expect(try client.send("GET", "/login?flow=unknown").status == 400)
    }

    @Test func wrongInputIsExplainedAndFiveWrongCodesBringANewOne() throws {
        let sandbox = try RunningSandbox()
        var client = try TestClient(sandbox)
        let flow = try #require(try client.send("GET", client.authorization()).values("Location").first)
        let form = try formToken(try client.send("GET", flow).text)
        for bad in ["", "alice", "a@", "@b", "a@b@c", "a b@example.com", "<a>@example.com"] {
            _ = try client.send("POST", flow, form: fields(form, "identify", ["email": bad]))
            #expect(try client.send("GET", flow).text.contains(#"id="remark""#), "\(bad)")
        }
        _ = try client.send("POST", flow, form: fields(form, "identify", ["email": "eve@example.com"]))
        let code = try #require(text(try client.send("GET", flow).text, after: #"id="shown-code">"#))
        let wrong = code == "000000" ? "111111" : "000000"
        for _ in 0..<5 { _ = try client.send("POST", flow, form: fields(form, "verify", ["code": wrong])) }
        let page = try client.send("GET", flow).text
        #expect(page.contains("too often"))
        #expect(try client.send("POST", flow, form: fields(form, "verify", ["decision": "back"])).status == 303)
        #expect(try client.send("GET", flow).text.contains(#"value="eve@example.com""#))
    }

    @Test func pagesCarryTheirHeadersAndNoScript() throws {
        let sandbox = try RunningSandbox()
        var client = try TestClient(sandbox)
        let flow = try #require(try client.send("GET", client.authorization()).values("Location").first)
        for path in [flow, "/", "/device", "/nowhere"] {
            let page = try client.send("GET", path)
            let policy = page.values("Content-Security-Policy").first ?? ""
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(page.values("Cache-Control") == ["no-store"] && page.values("Referrer-Policy") == ["no-referrer"])
            #expect(!page.text.contains("<script") && !page.text.contains("src=") && page.text.contains("lang=\"en\""))
        }
    }

    @Test func textFromOutsideIsEscaped() throws {
        let sandbox = try RunningSandbox()
        var client = try TestClient(sandbox)
        let hint = #"""><script>alert(1)</script>"#
        let flow = try #require(
            try client.send("GET", client.authorization(["login_hint": hint])).values("Location").first)
        let page = try client.send("GET", flow).text
        #expect(!page.contains("<script") && page.contains("&lt;script&gt;"))
        #expect(!(try client.send("GET", client.authorization(["client_id": hint])).text.contains("<script")))
    }

    private func fields(_ form: String, _ step: String, _ more: KeyValuePairs<String, String>) -> FormFields {
        var fields = FormFields(["form": form, "step": step])
        for (name, value) in more { fields.append(name, value) }
        return fields
    }

    private func formToken(_ page: String) throws -> String {
        try #require(text(page, after: #"name="form" value=""#))
    }

    private func text(_ page: String, after mark: String) -> String? {
        guard let range = page.firstRange(of: mark) else { return nil }
        return String(page[range.upperBound...].prefix { $0 != "\"" && $0 != "<" })
    }
}
