import Foundation
import Login
import Program
import Sensitive
import Synchronization
import Testing
import WebAddress

@Suite struct HTTPClientTests {
    private let loop = EventLoop()

    private func client(
        deadline: Double = 5, limit: Int = 1 << 20, caFile: String? = nil, pins: [KeyPin] = [],
        proxy: ProxyEnvironment = .none
    ) throws -> HTTPClient {
        var settings = HTTPSettings(caFile: caFile, pins: pins, proxy: proxy)
        settings.deadline = deadline
        settings.sizeLimit = limit
        return try HTTPClient(settings, loop: loop)
    }

    private func url(_ text: String) throws -> WebURL { try #require(WebURL(text)) }

    private func failure(_ client: HTTPClient, _ address: String) throws -> HTTPError.Reason? {
        let url = try url(address)
        do throws(HTTPError) {
            let response = try client.send(.get(url))
            Issue.record("answered with \(response.status)")
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func sendsWhatItShould() throws {
        let server = try TestServer(loop: loop) { _ in .json("{\"a\":1}") }
        let form = FormFields(["grant_type": "x y", "z": "ä"])
        let response = try client().send(
            .post(try url(server.url + "/oauth2/token?env=test"), form: form, authorization: Secret("Basic abc")))
        #expect(response.status == 200)
        #expect(response.body == Array("{\"a\":1}".utf8))
        #expect(response.mediaType == "application/json")
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.path == "/oauth2/token")
        #expect(request.query == "env=test")
        #expect(request.body == "grant_type=x+y&z=%C3%A4")
        #expect(request.headers["authorization"] == "Basic abc")
        #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
        #expect(request.headers["accept"] == "application/json")
        #expect(request.headers["user-agent"] == "mojoauth-credential/\(Version.text)")
        #expect(request.headers["cookie"] == nil)
        #expect(request.headers["accept-encoding"] == nil)
    }

    @Test func keepsNoCookie() throws {
        let server = try TestServer(loop: loop) { _ in TestServer.Reply(headers: ["Set-Cookie": "a=b; Path=/"]) }
        let client = try client()
        for _ in 0..<2 { _ = try client.send(.get(url(server.url + "/"))) }
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.headers["cookie"] == nil })
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func followsNoRedirect(status: Int) throws {
        let server = try TestServer(loop: loop) { _ in
            TestServer.Reply(status: status, headers: ["Location": "/elsewhere"])
        }
        let response = try client().send(.post(url(server.url + "/here"), form: FormFields(["a": "b"])))
        #expect(response.status == status)
        #expect(response.isRedirect)
        #expect(server.requests.map(\.path) == ["/here"])
    }

    @Test(arguments: [400, 401, 404, 429, 500, 502, 503])
    func returnsEveryStatus(status: Int) throws {
        let server = try TestServer(loop: loop) { _ in
            TestServer.Reply(status: status, headers: ["Retry-After": "7"], body: "<html>")
        }
        let response = try client().send(.get(url(server.url + "/")))
        #expect(response.status == status)
        #expect(response.retryAfter == 7)
        #expect(response.isHTML)
        #expect(server.requests.count == 1)
    }

    // MARK: Servers that keep no rule

    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

    @Test func givesUpOnADrip() throws {
        let server = try RawServer { connection in
            _ = RawServer.readHead(connection)
            RawPeer.send(connection, Self.head + "Content-Length: 1000\r\n\r\n")
            for _ in 0..<100 {
                RawPeer.send(connection, "x")
                usleep(30_000)
            }
        }
        let start = Clock.monotonic()
        #expect(try failure(client(deadline: 0.6), "http://127.0.0.1:\(server.port)/") == .timedOut(seconds: 0.6))
        #expect(Clock.monotonic() - start < 1.5)
    }

    @Test func givesUpOnAHang() throws {
        let server = try RawServer { connection in
            _ = RawServer.readHead(connection)
            _ = RawPeer.receive(connection)
        }
        let start = Clock.monotonic()
        #expect(try failure(client(deadline: 0.5), "http://127.0.0.1:\(server.port)/") == .timedOut(seconds: 0.5))
        #expect(Clock.monotonic() - start < 1.5)
    }

    @Test func givesUpOnASilentTLSServer() throws {
        let server = try RawServer { _ = RawPeer.receive($0) }
        #expect(try failure(client(deadline: 0.5), "https://127.0.0.1:\(server.port)/") == .timedOut(seconds: 0.5))
    }

    @Test(arguments: [
        ("honest length", "Content-Length: 100000\r\n\r\n", ""),
        ("until the end", "Connection: close\r\n\r\n", ""),
        ("one chunk", "Transfer-Encoding: chunked\r\n\r\n", "186a0\r\n"),
    ])
    func refusesLargeBodies(name: String, headers: String, prefix: String) throws {
        let server = try RawServer { connection in
            _ = RawServer.readHead(connection)
            RawPeer.send(connection, Self.head + headers + prefix + String(repeating: "x", count: 100_000))
            _ = RawPeer.receive(connection)
        }
        let reason = try failure(client(limit: 50_000), "http://127.0.0.1:\(server.port)/")
        #expect(reason == .tooLarge(limit: 50_000), "\(name)")
    }

    @Test func acceptsABodyOfExactlyTheLimit() throws {
        let server = try TestServer(loop: loop) { _ in .json(String(repeating: "x", count: 50_000)) }
        #expect(try client(limit: 50_000).send(.get(url(server.url + "/"))).body.count == 50_000)
    }

    @Test(arguments: [
        ("cut body", head + "Content-Length: 100\r\n\r\nshort", HTTPError.Reason.cut),
        ("cut chunk", head + "Transfer-Encoding: chunked\r\n\r\nff\r\nshort", .cut),
        ("no answer", "", .cut),
        ("half a head", "HTTP/1.1 200 OK\r\nContent-", .other("its answer is not HTTP")),
        ("not HTTP", "220 mail ready\r\n\r\n", .other("its answer is not HTTP")),
    ])
    func tellsBrokenAnswers(name: String, answer: String, reason: HTTPError.Reason) throws {
        let server = try RawServer { connection in
            _ = RawServer.readHead(connection)
            RawPeer.send(connection, answer)
        }
        #expect(try failure(client(), "http://127.0.0.1:\(server.port)/") == reason, "\(name)")
    }

    /// A POST may have arrived: its grant must not be spent twice.
    @Test func sendsAPostOnce() throws {
        let count = Mutex(0)
        let server = try RawServer { connection in
            _ = RawServer.readHead(connection)
            count.withLock { $0 += 1 }
        }
        let client = try client()
        let url = try url("http://127.0.0.1:\(server.port)/")
        #expect(throws: HTTPError.self) { try client.send(.post(url, form: FormFields(["a": "b"]))) }
        #expect(count.withLock { $0 } == 1)
    }

    @Test func tellsARefusedConnection() throws {
        let closed = try ClosedPort()
        #expect(try failure(client(), "http://127.0.0.1:\(closed.port)/") == .refused)
    }

    @Test func tellsAnUnknownName() throws {
        #expect(try failure(client(), "https://no-such-host.invalid/") == .nameNotResolved)
    }

    // MARK: TLS

    @Test func refusesAnUnknownAuthority() throws {
        let certificate = try TestCertificate()
        defer { certificate.remove() }
        let server = try TestServer(loop: loop, certificate: certificate) { _ in .json("{}") }
        let reason = try failure(client(), server.url + "/")
        #expect(reason == .tls("its certificate was issued by an unknown authority"))
        #expect(server.requests.isEmpty)
    }

    @Test func trustsTheProfilesAuthority() throws {
        let certificate = try TestCertificate()
        defer { certificate.remove() }
        let server = try TestServer(loop: loop, certificate: certificate) { _ in .json("{}") }
        #expect(try client(caFile: certificate.path).send(.get(url(server.url + "/"))).status == 200)
    }

    @Test func refusesAnotherAuthorityThanTheProfiles() throws {
        let certificate = try TestCertificate()
        let other = try TestCertificate()
        defer { certificate.remove(); other.remove() }
        let server = try TestServer(loop: loop, certificate: certificate) { _ in .json("{}") }
        let reason = try failure(client(caFile: other.path), server.url + "/")
        #expect(reason == .tls("its certificate was issued by an unknown authority"))
    }

    @Test func refusesAnotherHostsCertificate() throws {
        let certificate = try TestCertificate(names: "DNS:other.example")
        defer { certificate.remove() }
        let server = try TestServer(loop: loop, certificate: certificate) { _ in .json("{}") }
        let reason = try failure(client(caFile: certificate.path), server.url + "/")
        #expect(reason == .tls("its certificate is for another host"))
    }

    @Test func acceptsAPinnedKey() throws {
        let certificate = try TestCertificate()
        defer { certificate.remove() }
        let server = try TestServer(loop: loop, certificate: certificate) { _ in .json("{}") }
        let pins = try [#require(KeyPin(String(repeating: "A", count: 43) + "=")), #require(KeyPin(certificate.pin))]
        let client = try client(caFile: certificate.path, pins: pins)
        for _ in 0..<2 { #expect(try client.send(.get(url(server.url + "/"))).status == 200) }
    }

    @Test func sendsNothingToAnotherKey() throws {
        let certificate = try TestCertificate()
        defer { certificate.remove() }
        let server = try TestServer(loop: loop, certificate: certificate) { _ in .json("{}") }
        let pin = try #require(KeyPin(String(repeating: "A", count: 43) + "="))
        #expect(try failure(client(caFile: certificate.path, pins: [pin]), server.url + "/") == .pinMismatch)
        #expect(server.requests.isEmpty)
    }

    @Test func aPinDoesNotReplaceTrust() throws {
        let certificate = try TestCertificate()
        defer { certificate.remove() }
        let server = try TestServer(loop: loop, certificate: certificate) { _ in .json("{}") }
        let pin = try #require(KeyPin(certificate.pin))
        guard case .tls = try failure(client(pins: [pin]), server.url + "/") else {
            Issue.record("trusted by its pin alone")
            return
        }
    }

    @Test func tellsAServerWithoutTLS() throws {
        let server = try RawServer { RawPeer.send($0, "HTTP/1.1 400 no\r\n\r\n") }
        guard case .tls = try failure(client(), "https://127.0.0.1:\(server.port)/") else {
            Issue.record("not told")
            return
        }
    }

    @Test(arguments: ["missing.pem", "empty.pem", "."])
    func refusesABadCertificateFile(name: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "login-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("no certificate\n".utf8).write(to: folder.appending(path: "empty.pem"))
        #expect(throws: HTTPSetupError.self) { try client(caFile: folder.appending(path: name).path) }
    }

    @Test(arguments: ["", "A", String(repeating: "A", count: 44), String(repeating: "_", count: 43) + "="])
    func refusesABadPin(text: String) {
        #expect(KeyPin(text) == nil)
    }

    // MARK: Proxies

    @Test func neverProxiesLoopback() throws {
        let closed = try ClosedPort()
        let server = try TestServer(loop: loop) { _ in .json("{}") }
        let proxy = ProxyEnvironment(https: "http://127.0.0.1:\(closed.port)", all: "http://127.0.0.1:\(closed.port)")
        let client = try client(proxy: proxy)
        #expect(try client.send(.get(url(server.url + "/"))).status == 200)
        #expect(try client.send(.get(url("http://localhost:\(server.port)/"))).status == 200)
    }

    @Test(arguments: [403, 502])
    func tellsAProxyThatRefusesTheTunnel(status: Int) throws {
        let heads = Box<String>()
        let server = try RawServer { connection in
            heads.set(RawServer.readHead(connection))
            RawPeer.send(connection, "HTTP/1.1 \(status) no\r\nContent-Length: 3\r\n\r\nno\n")
        }
        let client = try client(proxy: ProxyEnvironment(https: "127.0.0.1:\(server.port)"))
        guard case .proxy = try failure(client, "https://issuer.example/") else {
            Issue.record("taken for the issuer's answer")
            return
        }
        #expect(heads.value?.hasPrefix("CONNECT issuer.example:443 ") == true)
    }

    @Test func tellsAProxyThatIsNotThere() throws {
        let closed = try ClosedPort()
        let client = try client(proxy: ProxyEnvironment(all: "http://127.0.0.1:\(closed.port)"))
        #expect(try failure(client, "https://issuer.example/") == .proxy("connection refused"))
    }

    @Test(arguments: ["issuer.invalid", ".invalid", "*", "127.0.0.1,*.invalid"])
    func leavesExceptionsToDirectConnections(exceptions: String) throws {
        let asked = Box<Bool>()
        let server = try RawServer { _ in asked.set(true) }
        let proxy = ProxyEnvironment(
            https: "http://127.0.0.1:\(server.port)", exceptions: exceptions.split(separator: ",").map(String.init))
        #expect(try failure(client(proxy: proxy), "https://issuer.invalid/") == .nameNotResolved)
        #expect(asked.value == nil)
    }

    @Test(arguments: ["ftp://x:1", "http://", "http://a b", "http://host:99999999"])
    func refusesABadProxy(value: String) {
        #expect(throws: HTTPSetupError.self) { try client(proxy: ProxyEnvironment(https: value)) }
    }

    @Test func noErrorQuotesAnAnswer() throws {
        let server = try RawServer { connection in
            _ = RawServer.readHead(connection)
            RawPeer.send(connection, "HTTP/1.1 200 OK\r\nX: canary-header\r\nContent-Length: 99\r\n\r\ncanary-body")
        }
        let client = try client()
        let url = try url("http://127.0.0.1:\(server.port)/?canary-query")
        do throws(HTTPError) {
            _ = try client.send(.post(url, form: FormFields(["canary": "form"]), authorization: Secret("canary-auth")))
            Issue.record("answered")
        } catch {
            #expect(!"\(error)".contains("canary"))
            #expect(!String(reflecting: error).contains("canary"))
        }
    }
}
