import OpenIDConnect
import Sensitive
import Testing
import WebAddress

@Suite struct TokenRequestTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let grant: TokenRequest.Grant
        let client: ClientRegistration.Authentication
        let form: String
        var header: String?
        var testDescription: String { name }
    }

    static let code = TokenRequest.Grant.authorizationCode(
        Secret("c/1"), redirectURI: "http://127.0.0.1:8484/callback", verifier: Secret("v-1"))

    static let rows: [Row] = [
        Row(
            name: "code of a public client", grant: code, client: .none,
            form: "grant_type=authorization_code&code=c%2F1&redirect_uri=http%3A%2F%2F127.0.0.1%3A8484%2Fcallback"
                + "&code_verifier=v-1&client_id=id"),
        Row(
            name: "code with Basic", grant: code, client: .basic(Secret("s")),
            form: "grant_type=authorization_code&code=c%2F1&redirect_uri=http%3A%2F%2F127.0.0.1%3A8484%2Fcallback"
                + "&code_verifier=v-1", header: "Basic aWQ6cw=="),
        Row(
            name: "code with the secret in the form", grant: code, client: .post(Secret("s&")),
            form: "grant_type=authorization_code&code=c%2F1&redirect_uri=http%3A%2F%2F127.0.0.1%3A8484%2Fcallback"
                + "&code_verifier=v-1&client_id=id&client_secret=s%26"),
        Row(
            name: "refresh of a public client", grant: .refreshToken(Secret("r+1")), client: .none,
            form: "grant_type=refresh_token&refresh_token=r%2B1&client_id=id"),
        Row(
            name: "refresh with Basic", grant: .refreshToken(Secret("r")), client: .basic(Secret("s")),
            form: "grant_type=refresh_token&refresh_token=r", header: "Basic aWQ6cw=="),
        Row(
            name: "refresh with the secret in the form", grant: .refreshToken(Secret("r")), client: .post(Secret("s")),
            form: "grant_type=refresh_token&refresh_token=r&client_id=id&client_secret=s"),
        Row(
            name: "device code", grant: .deviceCode(Secret("d")), client: .none,
            form: "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d&client_id=id"),
    ]

    @Test(arguments: rows) func isExactlyThis(_ row: Row) {
        let request = TokenRequest(row.grant, client: ClientRegistration(id: "id", authentication: row.client))
        #expect(request.form.encoded == row.form)
        #expect(request.authorization?.text == row.header)
        #expect(request.form.repeatedName == nil)
    }

    /// The granted scopes stay, and there is nothing to redirect.
    @Test func refreshHasNeitherScopeNorRedirect() {
        let client = ClientRegistration(id: "id", authentication: .none)
        let form = TokenRequest(.refreshToken(Secret("r")), client: client).form
        for name in ["scope", "redirect_uri", "code", "code_verifier", "state", "nonce"] { #expect(form[name] == nil) }
    }

    /// A secret goes where its method says and nowhere else.
    @Test(arguments: rows) func secretHasOnePlace(_ row: Row) {
        let request = TokenRequest(row.grant, client: ClientRegistration(id: "id", authentication: row.client))
        switch row.client {
        case .none:
            #expect(request.authorization == nil && request.form["client_secret"] == nil)
            #expect(request.form["client_id"] == "id")
        case .basic:
            #expect(request.authorization != nil && request.form["client_secret"] == nil)
            #expect(request.form["client_id"] == nil)
        case .post:
            #expect(request.authorization == nil && request.form["client_secret"] != nil)
        }
    }

    @Test func asksForOneServer() {
        let client = ClientRegistration(id: "id", authentication: .none)
        let request = TokenRequest(
            .refreshToken(Secret("r")), client: client, audience: "api", resource: "https://api.example")
        #expect(
            request.form.encoded
                == "grant_type=refresh_token&refresh_token=r&audience=api&resource=https%3A%2F%2Fapi.example&client_id=id"
        )
        let plain = TokenRequest(.refreshToken(Secret("r")), client: client)
        #expect(plain.form["audience"] == nil && plain.form["resource"] == nil)
    }

    struct Credential: Sendable, CustomTestStringConvertible {
        let name: String
        let id: String
        let secret: String
        let header: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        Credential(name: "plain", id: "id", secret: "s", header: "Basic aWQ6cw=="),
        Credential(name: "colon in the id", id: "a:b", secret: "c", header: "Basic YSUzQWI6Yw=="),
        Credential(name: "blank in the secret", id: "a", secret: "b c", header: "Basic YTpiK2M="),
        Credential(name: "percent sign", id: "a", secret: "%41", header: "Basic YTolMjU0MQ=="),
        Credential(name: "empty secret", id: "a", secret: "", header: "Basic YTo="),
        Credential(name: "letters beyond ASCII", id: "ü", secret: "é", header: "Basic JUMzJUJDOiVDMyVBOQ=="),
    ])
    func basicIsFormEncodedFirst(_ row: Credential) {
        var form = FormFields()
        let client = ClientRegistration(id: row.id, authentication: .basic(Secret(row.secret)))
        #expect(client.authenticate(&form)?.text == row.header)
    }

    @Test func printsNoSecret() {
        let client = ClientRegistration(id: "id", authentication: .basic(Secret("hunter2")))
        let request = TokenRequest(.refreshToken(Secret("canary")), client: client)
        #expect(!"\(client)".contains("hunter2") && !String(reflecting: client).contains("hunter2"))
        #expect(!"\(request.authorization.debugDescription)".contains("aHVudGVyMg"))
    }
}
