import JSON
import Sensitive
import Testing
import WebAddress

@testable import HelperProtocol

/// What the protocols that ask for one server's token share.
@Suite struct CredentialRequestTests {
    static let token = ServedToken(username: "oauth2", secret: Secret("a.b-c_d~e"), expiresAt: 1_796_040_000)

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_796_040_000, "2026-11-30T12:00:00Z"),
        (2_147_483_648, "2038-01-19T03:14:08Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        (253_402_300_800, "9999-12-31T23:59:59Z"), (Int.max, "9999-12-31T23:59:59Z"), (-1, "1970-01-01T00:00:00Z"),
        (Int.min, "1970-01-01T00:00:00Z"),
    ]) func timestamps(_ seconds: Int, _ text: String) {
        #expect(Timestamp.text(of: seconds) == text)
    }

    /// In a protocol of lines another line could be anything.
    @Test(arguments: ["", "a b", "a\nb", "a\r", "a\0", "\u{7F}", "é", "a\n\nhttps://evil.example\n\nX: y"])
    func aTokenThatNoHeaderCarriesIsNotHandedOver(_ text: String) throws {
        let token = ServedToken(username: "oauth2", secret: Secret(text), expiresAt: 0)
        let requests: [any CredentialRequest] = [
            try BazelRequest(arguments: ["get"], input: Array(#"{"uri":"https://a.example/"}"#.utf8)),
            try TerraformRequest(arguments: ["get", "a.example"], input: []),
            try KeyringRequest(arguments: ["get", "https://a.example/"], input: []),
            try KeyringRequest(arguments: ["--mode=creds", "--output=json", "get", "https://a.example/"], input: []),
            try GoRequest(arguments: ["https://a.example/"], input: []),
            try PlainTokenRequest(arguments: ["a.example"], input: []),
            try CargoRequest(
                arguments: [], input: Array(#"{"v":1,"registry":{"index-url":"https://a/"},"kind":"get"}"#.utf8)),
        ]
        for request in requests { #expect(throws: RequestFault.self) { try request.answer(token) } }
    }

    @Test(
        arguments: [
            ("https://a.example", "https://a.example", nil), ("https://a.example:443/x?y#z", "https://a.example", nil),
            ("HTTPS://A.example/", "https://a.example", nil), ("http://127.0.0.1:80/", "http://127.0.0.1", nil),
            ("https://bob@a.example/", "https://a.example", "bob"), ("https://@a.example/", "https://a.example", ""),
            ("https://bob:pw@a.example/", "https://a.example", "bob:pw"),
            ("https://[::1]:8443/", "https://[::1]:8443", nil),
            ("a.example", nil, nil), ("", nil, nil), ("ftp://a.example/", nil, nil), ("https://a.example:/", nil, nil),
            ("https://a%2eexample/", nil, nil), ("https://a.example\n", nil, nil), ("//a.example/", nil, nil),
            ("https:a.example", nil, nil),
        ] as [(String, String?, String?)])
    func serversByURL(_ url: String, _ origin: String?, _ username: String?) {
        let server = AskedServer(url: url)
        #expect(server?.origin.description == origin)
        #expect(server?.username == username)
    }

    /// The two schemas of the credential-helper specification that Bazel follows: what they demand, of requests that
    /// are read and of answers that are written.
    @Test func bazelsSchemas() throws {
        // Request: an object whose `uri` is a string; more members are allowed.
        for good in [#"{"uri":""}"#, #"{"uri":"https://a.example/","x":null}"#] {
            _ = try BazelRequest(arguments: ["get"], input: Array(good.utf8))
        }
        for bad in ["[]", "{}", #"{"uri":1}"#, #"{"uri":["https://a.example/"]}"#, #"{"URI":"https://a.example/"}"#] {
            #expect(throws: RequestFault.self) { try BazelRequest(arguments: ["get"], input: Array(bad.utf8)) }
        }
        // Response: an object; `headers` an object of lists of strings, `expires` a date-time.
        let request = try BazelRequest(arguments: ["get"], input: Array(#"{"uri":"https://a.example/"}"#.utf8))
        let answer = try #require(try JSONValue(parsing: request.answer(Self.token)).object)
        #expect(answer.members.map(\.name) == ["headers", "expires"])
        let headers = try #require(answer["headers"]?.object)
        #expect(headers.members.map(\.name) == ["Authorization"])
        #expect(headers["Authorization"]?.strings == ["Bearer a.b-c_d~e"])
        #expect(answer["expires"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
        guard case .bytes(let none) = request.noToken else {
            Issue.record("a miss is no success")
            return
        }
        #expect(try JSONValue(parsing: none).object?.isEmpty == true)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(arguments: ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"])
    func kubernetes(_ version: String) throws {
        let asked =
            #"{"kind":"ExecCredential","apiVersion":"\#(version)","spec":{"cluster":{"server":"https://k.example:6443","config":null},"interactive":true}}"#
        let request = try KubernetesRequest(arguments: [], input: Array(asked.utf8))
        #expect(request.server?.origin.description == "https://k.example:6443" && request.caller == .person)
        #expect(
            text(try request.answer(Self.token))
                == #"{"apiVersion":"\#(version)","kind":"ExecCredential","status":{"token":"a.b-c_d~e","expirationTimestamp":"2026-11-30T12:00:00Z"}}"#
                + "\n")
        #expect(try KubernetesRequest.source([]) == .variable("KUBERNETES_EXEC_INFO"))
    }

    @Test func cargo() throws {
        let asked =
            #"{"v":1,"registry":{"index-url":"sparse+https://c.example/index/"},"kind":"get","operation":"read"}"#
        let request = try CargoRequest(arguments: ["--cargo-plugin"], input: Array(asked.utf8))
        #expect(request.server?.origin.description == "https://c.example" && request.caller == .person)
        #expect(
            text(try request.answer(Self.token))
                == #"{"Ok":{"kind":"get","token":"Bearer a.b-c_d~e","cache":"expires","expiration":1796040000,"operation_independent":true}}"#
                + "\n")
        // A word in a message ends no line.
        let failure = text(try #require(CargoRequest.failure("a\nb \"c\"", hint: "d\\")))
        #expect(failure == #"{"Err":{"kind":"other","message":"a\nb \"c\"","caused-by":["d\\"]}}"# + "\n")
        for other in [["x"], [], ["--cargo-plugin", "x"]] {
            #expect(throws: RequestFault.usage) { try CargoRequest.source(other) }
        }
    }

    @Test(arguments: [
        (["get", "t.example"], RequestPurpose.get), (["forget", "t.example"], .forget),
        (["store", "t.example"], .store(Secret("x"))), (["get", "forget", "t.example"], .forget),
    ]) func terraform(_ arguments: [String], _ purpose: RequestPurpose) throws {
        let request = try TerraformRequest(arguments: arguments, input: Array(#"{"token":"x"}"#.utf8))
        #expect(request.purpose == purpose && request.server?.origin.description == "https://t.example")
        #expect(text(try request.answer(Self.token)) == #"{"token":"a.b-c_d~e"}"# + "\n")
    }

    @Test(arguments: [
        (["get", "https://p.example/simple", "oauth2"], "a.b-c_d~e\n"),
        (["--mode", "creds", "get", "https://p.example/simple"], "oauth2\na.b-c_d~e\n"),
        (
            ["--mode=creds", "--output=json", "get", "https://p.example/"],
            #"{"username":"oauth2","password":"a.b-c_d~e"}"# + "\n"
        ),
    ]) func keyring(_ arguments: [String], _ answer: String) throws {
        let request = try KeyringRequest(arguments: arguments, input: [])
        #expect(request.server?.origin.description == "https://p.example" && request.caller == .program)
        #expect(text(try request.answer(Self.token)) == answer)
        #expect(request.noToken == .exitCode)
    }

    /// The prefix is what Go looks for: the URL's own letters.
    @Test(arguments: [
        ("https://g.example:8443/mod/@v/list", "https://g.example:8443"), ("https://g.example", "https://g.example"),
        ("https://g.example:443/mod", "https://g.example:443"), ("https://G.Example/mod", "https://G.Example"),
        ("https://g.example?go-get=1", "https://g.example"), ("https://g.example#x", "https://g.example"),
        ("https://bob@g.example/mod", "https://bob@g.example"), ("HTTPS://g.example/", "https://g.example"),
        ("https://[::1]:8443/mod", "https://[::1]:8443"), ("https://g.example//evil.example/", "https://g.example"),
    ]) func goauth(_ url: String, _ prefix: String) throws {
        let request = try GoRequest(arguments: [url], input: [])
        #expect(request.server != nil && request.caller == .silentProgram)
        #expect(text(try request.answer(Self.token)) == "\(prefix)\n\nAuthorization: Bearer a.b-c_d~e\n\n")
    }

    @Test(arguments: [[], ["http://127.0.0.1/"], ["g.example"], ["https://g.example\n/"], ["https://"]])
    func goauthAboutNobody(_ arguments: [String]) throws {
        #expect(try GoRequest(arguments: arguments, input: []).server == nil)
    }

    /// pnpm sends what it reads as the whole header; others want the token.
    @Test(arguments: [
        (["p.example"], "a.b-c_d~e\n"), (["--bearer", "p.example"], "Bearer a.b-c_d~e\n"),
        (["--bearer", "https://p.example/npm/"], "Bearer a.b-c_d~e\n"),
    ]) func plainToken(_ arguments: [String], _ answer: String) throws {
        #expect(try PlainTokenRequest.source(arguments) == .arguments)
        let request = try PlainTokenRequest(arguments: arguments, input: [])
        #expect(request.server?.origin.description == "https://p.example")
        #expect(text(try request.answer(Self.token)) == answer)
        for other in [
            [], ["--bearer"], ["p.example", "--bearer"], ["--bearer", "p.example", "x"], ["-b", "p.example"],
        ] {
            #expect(throws: RequestFault.usage) { try PlainTokenRequest.source(other) }
        }
    }

    /// What it says must be said before Bazel ends it.
    @Test func bazelIsAnsweredWithinItsLimit() { #expect(BazelRequest.patience < 10) }
}
