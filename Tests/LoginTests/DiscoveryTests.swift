import Configuration
import JSON
import Login
import OpenIDConnect
import Program
import Testing
import WebAddress

@Suite struct DiscoveryTests {
    private let loop = EventLoop()

    private func discover(_ issuer: FakeIssuer, _ change: (inout Profile) -> Void = { _ in }) throws -> ProviderMetadata
    {
        var profile = try issuer.profile()
        change(&profile)
        return try Discovery(http: HTTPClient(HTTPSettings(), loop: loop)).metadata(of: profile)
    }

    private func complaint(_ issuer: FakeIssuer) throws -> Complaint {
        let discovery = Discovery(http: try HTTPClient(HTTPSettings(), loop: loop))
        let profile = try issuer.profile()
        do throws(DiscoveryError) {
            _ = try discovery.metadata(of: profile)
        } catch {
            return Complaint(.discovery(error, issuer: issuer.url))
        }
        throw TestFailure("accepted")
    }

    @Test func readsTheMetadata() throws {
        let issuer = try FakeIssuer(loop: loop)
        let metadata = try discover(issuer)
        #expect(metadata.tokenEndpoint.description == issuer.url + "/oauth2/token?env=test")
        #expect(issuer.paths() == ["/.well-known/openid-configuration"])
    }

    @Test func aProfilesEndpointWins() throws {
        let issuer = try FakeIssuer(loop: loop)
        let own = try #require(WebURL(issuer.url + "/own"))
        #expect(try discover(issuer) { $0.endpointOverrides[.token] = own }.tokenEndpoint == own)
    }

    @Test func completeOverridesNeedNoDiscovery() throws {
        let issuer = try FakeIssuer(loop: loop)
        let own = try #require(WebURL(issuer.url + "/own"))
        let metadata = try discover(issuer) {
            for name in [EndpointName.authorization, .token, .jwks] { $0.endpointOverrides[name] = own }
        }
        #expect(metadata.keySetURL == own)
        #expect(issuer.requests.isEmpty)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var name: String
        var exitCode: ExitCode
        var words: String
        var reply: @Sendable (_ url: String) -> TestServer.Reply
        var testDescription: String { name }

        init(
            _ name: String, _ exitCode: ExitCode, _ words: String,
            _ reply: @escaping @Sendable (String) -> TestServer.Reply
        ) {
            (self.name, self.exitCode, self.words, self.reply) = (name, exitCode, words, reply)
        }

        /// A document with the members that are needed, changed.
        init(_ name: String, _ exitCode: ExitCode, _ words: String, changing text: String, to other: String) {
            self.init(name, exitCode, words) { url in
                let document = """
                    {"issuer":"\(url)","authorization_endpoint":"\(url)/a","token_endpoint":"\(url)/t","jwks_uri":"\(url)/k"}
                    """
                return .json(
                    document.replacing(text.replacing("URL", with: url), with: other.replacing("URL", with: url)))
            }
        }
    }

    static let bad: [Bad] = [
        Bad("404", .configuration, "no OpenID configuration at") { _ in TestServer.Reply(status: 404, body: "<html>") },
        Bad("410", .configuration, "no OpenID configuration at") { _ in TestServer.Reply(status: 410) },
        Bad("403", .configuration, "status 403") { _ in TestServer.Reply(status: 403) },
        Bad("302", .configuration, "redirects elsewhere") {
            TestServer.Reply(status: 302, headers: ["Location": $0 + "/x"])
        },
        Bad("500", .temporary, "not available") { _ in TestServer.Reply(status: 500) },
        Bad("503", .temporary, "not available") { _ in TestServer.Reply(status: 503, headers: ["Retry-After": "9"]) },
        Bad("429", .temporary, "not available") { _ in TestServer.Reply(status: 429) },
        Bad("a web page", .temporary, "web page") { _ in TestServer.Reply(body: "<!doctype html><p>hotel") },
        Bad("nothing", .unacceptableAnswer, "acceptable JSON") { _ in .json("") },
        Bad("cut JSON", .unacceptableAnswer, "acceptable JSON") { _ in .json("{\"issuer\":") },
        Bad("a list", .unacceptableAnswer, "no object") { _ in .json("[]") },
        Bad("a name twice", .unacceptableAnswer, "twice") { _ in .json("{\"issuer\":\"a\",\"issuer\":\"b\"}") },
        Bad("deep JSON", .unacceptableAnswer, "deeper") { _ in
            .json(String(repeating: "{\"a\":", count: 70) + "1" + String(repeating: "}", count: 70))
        },
        Bad("not UTF-8 escapes", .unacceptableAnswer, "JSON") { _ in .json("{\"a\":\"\\ud800\"}") },
        Bad("too large", .unacceptableAnswer, "larger than") { _ in
            .json("{\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}")
        },
        Bad("no issuer", .unacceptableAnswer, "no issuer", changing: "\"issuer\":\"URL\",", to: ""),
        Bad(
            "issuer with a slash", .unacceptableAnswer, "names issuer", changing: "\"issuer\":\"URL\"",
            to: "\"issuer\":\"URL/\""),
        Bad(
            "issuer in capitals", .unacceptableAnswer, "names issuer", changing: "\"issuer\":\"http",
            to: "\"issuer\":\"HTTP"),
        Bad(
            "another issuer", .unacceptableAnswer, "names issuer", changing: "\"issuer\":\"URL\"",
            to: "\"issuer\":\"https://evil.example\""),
        Bad("issuer is a number", .unacceptableAnswer, "no issuer", changing: "\"issuer\":\"URL\"", to: "\"issuer\":1"),
        Bad("no token endpoint", .unacceptableAnswer, "token_endpoint", changing: "\"token_endpoint\"", to: "\"x\""),
        Bad(
            "no authorization endpoint", .unacceptableAnswer, "authorization_endpoint",
            changing: "\"authorization_endpoint\"", to: "\"x\""),
        Bad("no keys", .unacceptableAnswer, "jwks_uri", changing: "\"jwks_uri\"", to: "\"x\""),
        Bad(
            "http elsewhere", .unacceptableAnswer, "https", changing: "\"URL/t\"", to: "\"http://token.example/t\""),
        Bad("no URL", .unacceptableAnswer, "token_endpoint", changing: "\"URL/t\"", to: "\"javascript:x\""),
        Bad(
            "endpoint with a user", .unacceptableAnswer, "token_endpoint", changing: "\"URL/t\"",
            to: "\"https://u:p@token.example/t\""),
        Bad(
            "endpoint with a fragment", .unacceptableAnswer, "token_endpoint", changing: "\"URL/t\"",
            to: "\"https://token.example/t#x\""),
        Bad(
            "plain PKCE alone", .unacceptableAnswer, "S256", changing: "{",
            to: "{\"code_challenge_methods_supported\":[\"plain\"],"),
        Bad(
            "no code flow", .unacceptableAnswer, "code flow", changing: "{",
            to: "{\"response_types_supported\":[\"id_token\"],"),
        Bad(
            "HS256 alone", .unacceptableAnswer, "HS256", changing: "{",
            to: "{\"id_token_signing_alg_values_supported\":[\"HS256\",\"none\"],"),
    ]

    @Test(arguments: bad)
    func refuses(row: Bad) throws {
        let issuer = try FakeIssuer(loop: loop)
        let url = issuer.url
        issuer.intercept = { _ in row.reply(url) }
        let complaint = try complaint(issuer)
        #expect(complaint.exitCode == row.exitCode)
        #expect(complaint.message.contains(row.words), "\(complaint.message)")
        #expect(complaint.hint != nil)
        #expect(issuer.requests.count == 1)
    }

    @Test func tellsAnIssuerThatIsNotThere() throws {
        let closed = try ClosedPort()
        let issuer = try FakeIssuer(loop: loop)
        issuer.url = "http://127.0.0.1:\(closed.port)"
        let complaint = try complaint(issuer)
        #expect(complaint.exitCode == .temporary)
        #expect(complaint.message == "cannot reach http://127.0.0.1:\(closed.port): connection refused")
    }

    @Test func refusesAnIssuerWithoutTLS() throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.url = "http://issuer.example"
        #expect(try complaint(issuer).exitCode == .configuration)
    }
}
