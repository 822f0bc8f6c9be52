import JSON
import Sandbox
import Testing
import WebAddress

/// RP-initiated logout.
@Suite struct LogoutTests {
    static let sandbox = Result { try RunningSandbox(["--auto", "alice@example.com"]) }

    private func isSignedIn(_ client: inout TestClient) throws -> Bool {
        let answer = try client.send("GET", client.authorization(["prompt": "none"]))
        return try client.response(in: answer)["code"] != nil
    }

    @Test func theHintSignsOutAtOnceAndStateComesBack() throws {
        var client = try TestClient(try Self.sandbox.get())
        let idToken = try #require(try client.logIn()["id_token"]?.string)
        #expect(try isSignedIn(&client))
        let query = FormFields([
            "id_token_hint": idToken, "client_id": "mojoauth-cli", "state": "bye",
            "post_logout_redirect_uri": client.redirectURI,
        ])
        let answer = try client.send("GET", "/oauth/logout?" + query.encoded)
        #expect(try client.response(in: answer)["state"] == "bye")
        #expect(!(try isSignedIn(&client)))
    }

    @Test func withoutAHintAPersonIsAsked() throws {
        var client = try TestClient(try Self.sandbox.get())
        _ = try client.logIn()
        #expect(try client.send("GET", "/oauth/logout").text.contains(#"id="continue""#))
        #expect(try client.send("GET", "/oauth/logout?id_token_hint=forged").text.contains(#"id="continue""#))
        #expect(try isSignedIn(&client))
        let done = try client.send("POST", "/oauth/logout", form: FormFields(["confirmed": "yes"]))
        #expect(done.text.contains("Signed out"))
        #expect(!(try isSignedIn(&client)))
    }

    @Test(arguments: [
        "post_logout_redirect_uri=http%3A%2F%2F192.0.2.1%2F&confirmed=yes", "client_id=other", "state=a&state=b",
        "a=%00",
    ])
    func badRequests(_ query: String) throws {
        var client = try TestClient(try Self.sandbox.get())
        #expect(try client.send("GET", "/oauth/logout?" + query).status == 400)
    }
}
