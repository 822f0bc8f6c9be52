import Configuration
import Foundation
import JSON
import Login
import OpenIDConnect
import Program
import Sensitive
import TestSupport
import Testing
import WebAddress

@Suite struct LoopbackListenerTests {
    let loop = EventLoop()

    /// A listener that waits for the answer to a request, and what its clients need to know.
    struct Waiting {
        var listener: LoopbackListener
        var request: AuthorizationRequest
        var start: String

        var state: String { request.state.text ?? "" }
        var authority: String { "\(listener.host):\(listener.port)" }
        var startPath: String { String(start.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }) }

        func get(_ path: String, host: String? = nil, _ headers: String = "") -> String {
            "GET \(path) HTTP/1.1\r\nHost: \(host ?? authority)\r\n\(headers)\r\n"
        }

        func post(_ body: String, _ headers: String = "Content-Type: application/x-www-form-urlencoded\r\n") -> String {
            "POST /callback HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
        }
    }

    func wait(
        at uri: String = "http://127.0.0.1/callback", limits: ListenerLimits = ListenerLimits(),
        promisesIssuer: Bool = false
    ) throws -> Waiting {
        let uri = try #require(RedirectURI(uri))
        let listener = try LoopbackListener(binding: [uri], loop: loop, limits: limits)
        let issuer = "https://issuer.example"
        let document: JSONValue = [
            "issuer": .string(issuer), "authorization_endpoint": .string(issuer + "/oauth/authorize?env=test"),
            "token_endpoint": .string(issuer + "/oauth2/token"), "jwks_uri": .string(issuer + "/jwks.json"),
            "authorization_response_iss_parameter_supported": .bool(promisesIssuer),
        ]
        let metadata = try ProviderMetadata(#require(document.object), issuer: issuer, overrides: [:])
        let request = AuthorizationRequest(
            metadata: metadata, clientID: "c", redirectURI: listener.redirectURI, scopes: ["openid"],
            parameters: FormFields(), ceremony: .system)
        return Waiting(listener: listener, request: request, start: listener.expect(request, ceremony: .system))
    }

    /// Sends bytes on a connection of its own and reads to the end.
    func exchange(_ port: Int, _ bytes: String) -> String {
        let answer = Box.of {
            let descriptor = RawPeer.connect(port)
            guard descriptor >= 0 else { return "refused" }
            defer { close(descriptor) }
            RawPeer.send(descriptor, bytes)
            return RawPeer.receive(descriptor)
        }
        loop.wait { answer.value != nil }
        return answer.value ?? "no answer"
    }

    func status(_ answer: String) -> Int? {
        answer.hasPrefix("HTTP/1.") ? Int(answer.dropFirst(9).prefix(3)) : nil
    }

    /// The real redirect, and the page it gets in the end.
    func finish(_ waiting: Waiting, _ bytes: String? = nil, with page: ResultPage) -> String {
        let request = bytes ?? waiting.get("/callback?code=good&state=\(waiting.state)")
        let port = waiting.listener.port
        let answer = Box.of {
            let descriptor = RawPeer.connect(port)
            defer { close(descriptor) }
            RawPeer.send(descriptor, request)
            return RawPeer.receive(descriptor)
        }
        loop.wait { waiting.listener.answer != nil }
        waiting.listener.conclude(with: page)
        loop.wait { answer.value != nil }
        return answer.value ?? "no answer"
    }

    // MARK: The answer

    @Test(arguments: [
        ("plain", "/callback?code=c&state=STATE", AuthorizationResponse.code(Secret("c"))),
        ("more parameters", "/callback?session_state=1&code=c&state=STATE&scope=a+b", .code(Secret("c"))),
        ("our issuer", "/callback?code=c&state=STATE&iss=https%3A%2F%2Fissuer.example", .code(Secret("c"))),
        (
            "another issuer", "/callback?code=c&state=STATE&iss=https%3A%2F%2Fevil.example",
            .unacceptable(.issuerMismatch(expected: "https://issuer.example", found: "https://evil.example"))
        ),
        (
            "denied", "/callback?error=access_denied&error_description=no+thanks&state=STATE",
            .refused(OAuthError(code: "access_denied", detail: "no thanks"))
        ),
        (
            "error and code", "/callback?error=server_error&code=c&state=STATE",
            .refused(OAuthError(code: "server_error"))
        ),
    ])
    func takesTheAnswer(name: String, path: String, expected: AuthorizationResponse) throws {
        let waiting = try wait()
        let path = path.replacingOccurrences(of: "STATE", with: waiting.state)
        _ = finish(waiting, waiting.get(path), with: .denied)
        #expect(waiting.listener.answer == expected, "\(name)")
    }

    @Test(arguments: [nil, "null", "https://issuer.example"])
    func takesAFormPost(origin: String?) throws {
        let waiting = try wait()
        let headers = Self.form + (origin.map { "Origin: \($0)\r\n" } ?? "")
        let page = finish(
            waiting, waiting.post("code=c&state=\(waiting.state)", headers),
            with: .signedIn(issuer: "issuer.example", person: "Al <ice> & co\u{202E}"))
        #expect(waiting.listener.answer == .code(Secret("c")))
        #expect(page.contains("Al &lt;ice&gt; &amp; co\u{FFFD}"))
    }

    @Test func refusesAnAnswerWithoutThePromisedIssuer() throws {
        let waiting = try wait(promisesIssuer: true)
        _ = finish(waiting, with: .denied)
        #expect(waiting.listener.answer == .unacceptable(.issuerMissing(expected: "https://issuer.example")))
    }

    @Test func answersWithItsHeadersAndClosesAtOnce() throws {
        let waiting = try wait()
        let start = Clock.monotonic()
        let page = finish(waiting, with: .signedIn(issuer: "issuer.example", person: "alice@example.com"))
        #expect(Clock.monotonic() - start < 0.5)
        let head = page.prefix(upTo: try #require(page.firstRange(of: "\r\n\r\n")).lowerBound)
        for line in [
            "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
            "Connection: close", "Content-Type: text/html; charset=utf-8",
            "Content-Security-Policy: default-src 'none'; ",
        ] {
            #expect(head.contains(line), "\(line)")
        }
        #expect(head.contains("frame-ancestors 'none'"))
        #expect(!page.contains("<script"))
        #expect(!page.contains("http://") && !page.contains("https://"))
        #expect(page.contains("alice@example.com"))
        #expect(exchange(waiting.listener.port, "GET / HTTP/1.1\r\n\r\n") == "refused")
    }

    @Test func holdsTheAnswerForLongerThanASilentConnectionMayLive() throws {
        var limits = ListenerLimits()
        limits.silence = 1
        limits.connection = 1
        let waiting = try wait(limits: limits)
        let port = waiting.listener.port
        let request = waiting.get("/callback?code=c&state=\(waiting.state)")
        let answer = Box.of {
            let descriptor = RawPeer.connect(port)
            defer { close(descriptor) }
            RawPeer.send(descriptor, request)
            return RawPeer.receive(descriptor)
        }
        loop.wait { waiting.listener.answer != nil }
        loop.wait(atMost: 2.2) { answer.value != nil }
        #expect(answer.value == nil)
        waiting.listener.conclude(with: .denied)
        loop.wait { answer.value != nil }
        #expect(answer.value.map(status) == 403)
    }

    @Test func givesTheSamePageToASecondLoad() throws {
        let waiting = try wait()
        let port = waiting.listener.port
        let request = waiting.get("/callback?code=c&state=\(waiting.state)")
        let second = Box.of {
            let descriptor = RawPeer.connect(port)
            defer { close(descriptor) }
            RawPeer.send(descriptor, request)
            return RawPeer.receive(descriptor)
        }
        loop.wait { waiting.listener.answer != nil }
        let other = Box.of {
            let descriptor = RawPeer.connect(port)
            defer { close(descriptor) }
            RawPeer.send(descriptor, request.replacingOccurrences(of: "code=c", with: "code=other"))
            return RawPeer.receive(descriptor)
        }
        loop.wait(atMost: 0.3) { false }
        waiting.listener.conclude(with: .signedIn(issuer: "i", person: nil))
        loop.wait { second.value != nil && other.value != nil }
        #expect(second.value.map(status) == 200)
        #expect(other.value.map(status) == 200)
        #expect(waiting.listener.answer == .code(Secret("c")))
    }

    @Test func doesNotWaitForABrowserThatLeft() throws {
        let waiting = try wait()
        let port = waiting.listener.port
        let request = waiting.get("/callback?code=c&state=\(waiting.state)")
        let left = Box.of {
            let descriptor = RawPeer.connect(port)
            RawPeer.send(descriptor, request)
            close(descriptor)
            return true
        }
        loop.wait { waiting.listener.answer != nil && left.value == true }
        let start = Clock.monotonic()
        waiting.listener.conclude(with: .denied)
        #expect(Clock.monotonic() - start < 1.2)
    }

    // MARK: The way to the issuer

    @Test func sendsTheBrowserToTheIssuerOnce() throws {
        let waiting = try wait()
        let start = waiting.start
        #expect(start.hasPrefix("http://127.0.0.1:\(waiting.listener.port)/start/"))
        #expect(!start.contains(waiting.state))
        let first = exchange(waiting.listener.port, waiting.get(waiting.startPath))
        #expect(status(first) == 302)
        #expect(first.contains("\r\nLocation: \(waiting.request.url)\r\n"))
        #expect(first.contains("env=test&response_type=code"))
        #expect(first.contains("Referrer-Policy: no-referrer"))
        #expect(waiting.listener.wasStarted)
        let second = exchange(waiting.listener.port, waiting.get(waiting.startPath))
        #expect(status(second) == 410)
        #expect(!second.contains(waiting.state))
        #expect(waiting.listener.answer == nil)
        #expect(status(finish(waiting, with: .signedIn(issuer: "i", person: nil))) == 200)
    }

    @Test func aHeadDoesNotUseUpTheStart() throws {
        let waiting = try wait()
        let head = "HEAD \(waiting.startPath) HTTP/1.1\r\nHost: \(waiting.authority)\r\n\r\n"
        #expect(status(exchange(waiting.listener.port, head)) == 405)
        #expect(status(exchange(waiting.listener.port, waiting.get(waiting.startPath))) == 302)
    }

    // MARK: Attackers

    @Test func servesTheBrowserBesideIdleConnections() throws {
        let waiting = try wait()
        let port = waiting.listener.port
        let idle = Box.of { (0..<200).map { _ in RawPeer.connect(port) } }
        loop.wait { idle.value != nil }
        defer { for descriptor in idle.value ?? [] { close(descriptor) } }
        #expect(idle.value?.contains(-1) == false)
        let start = Clock.monotonic()
        #expect(status(finish(waiting, with: .signedIn(issuer: "i", person: nil))) == 200)
        #expect(Clock.monotonic() - start < 1)
    }

    @Test func servesTheBrowserBesideMoreConnectionsThanItKeeps() throws {
        var limits = ListenerLimits()
        limits.connections = 20
        let waiting = try wait(limits: limits)
        let port = waiting.listener.port
        let idle = Box.of { (0..<100).map { _ in RawPeer.connect(port) } }
        loop.wait { idle.value != nil }
        defer { for descriptor in idle.value ?? [] { close(descriptor) } }
        let start = Clock.monotonic()
        #expect(status(finish(waiting, with: .signedIn(issuer: "i", person: nil))) == 200)
        #expect(Clock.monotonic() - start < 1)
    }

    @Test func cutsSilentAndDrippingConnections() throws {
        var limits = ListenerLimits()
        limits.silence = 1
        limits.connection = 2
        let waiting = try wait(limits: limits)
        let port = waiting.listener.port
        let start = Clock.monotonic()
        let silent = Box.of {
            let descriptor = RawPeer.connect(port)
            defer { close(descriptor) }
            _ = RawPeer.receive(descriptor)
            return Clock.monotonic()
        }
        let dripping = Box.of {
            let descriptor = RawPeer.connect(port)
            defer { close(descriptor) }
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT)) != 0 {
                RawPeer.send(descriptor, "G")
                usleep(50_000)
            }
            return Clock.monotonic()
        }
        loop.wait { silent.value != nil && dripping.value != nil }
        #expect(try #require(silent.value) - start < 1.9)
        #expect(try #require(dripping.value) - start < 3)
        #expect(waiting.listener.answer == nil)
    }

    @Test func survivesWrongStatesByTheHundred() throws {
        let waiting = try wait()
        let port = waiting.listener.port
        let bytes = waiting.get("/callback?code=c&state=guess")
        let done = Box.of {
            for _ in 0..<500 {
                let descriptor = RawPeer.connect(port)
                RawPeer.send(descriptor, bytes)
                _ = RawPeer.receive(descriptor)
                close(descriptor)
            }
            return true
        }
        loop.wait(atMost: 30) { done.value != nil }
        let start = Clock.monotonic()
        #expect(status(finish(waiting, with: .signedIn(issuer: "i", person: nil))) == 200)
        #expect(Clock.monotonic() - start < 1)
    }

    // MARK: Binding

    @Test func listensOnLoopbackAlone() throws {
        let waiting = try wait()
        let port = String(waiting.listener.port, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: 4 - port.count) + port
        let table = try KernelSocket.whole("/proc/net/tcp")
        #expect(table.contains("0100007F:\(padded) 00000000:0000 0A"))
        #expect(!table.contains("00000000:\(padded) 00000000:0000 0A"))
    }

    @Test(arguments: 0..<8) func listensOnBothFamiliesForLocalhost(round: Int) throws {
        let waiting = try wait(at: "http://localhost/callback")
        #expect(waiting.listener.redirectURI == "http://localhost:\(waiting.listener.port)/callback")
        let port = String(waiting.listener.port, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: 4 - port.count) + port
        #expect(try KernelSocket.whole("/proc/net/tcp").contains("0100007F:\(padded) "))
        #expect(
            try KernelSocket.whole("/proc/net/tcp6").contains("00000000000000000000000001000000:\(padded) "))
        #expect(status(finish(waiting, with: .signedIn(issuer: "i", person: nil))) == 200)
    }

    @Test func takesTheNextPortOfTheList() throws {
        let taken = try LoopbackListener(binding: [#require(RedirectURI("http://127.0.0.1/"))], loop: loop)
        let uris = try ["http://127.0.0.1:\(taken.port)/cb", "http://127.0.0.1/cb"].map {
            try #require(RedirectURI($0))
        }
        let next = try LoopbackListener(binding: uris, loop: loop)
        #expect(next.port != taken.port)
        #expect(next.redirectURI == "http://127.0.0.1:\(next.port)/cb")
    }

    @Test func namesEveryPortItTried() throws {
        let taken = try (0..<2).map { _ in
            try LoopbackListener(binding: [#require(RedirectURI("http://127.0.0.1/"))], loop: loop)
        }
        let uris = try taken.map { try #require(RedirectURI("http://127.0.0.1:\($0.port)/cb")) }
        do throws(ListenError) {
            _ = try LoopbackListener(binding: uris, loop: loop)
            Issue.record("bound a port that is taken")
        } catch {
            #expect(error.isTaken)
            for listener in taken { #expect("\(error)".contains("127.0.0.1:\(listener.port) is in use")) }
            #expect(Complaint(.listener(error)).exitCode == .temporary)
        }
    }

    @Test func refusesLocalhostWhenOneFamilyIsTaken() throws {
        let six = try LoopbackListener(binding: [#require(RedirectURI("http://[::1]/"))], loop: loop)
        let uri = try #require(RedirectURI("http://localhost:\(six.port)/cb"))
        #expect(throws: ListenError.self) { try LoopbackListener(binding: [uri], loop: loop) }
    }

    @Test func freesItsPort() throws {
        let first = try LoopbackListener(binding: [#require(RedirectURI("http://127.0.0.1/"))], loop: loop)
        let uri = try #require(RedirectURI("http://127.0.0.1:\(first.port)/"))
        first.close()
        #expect(try LoopbackListener(binding: [uri], loop: loop).port == uri.port)
    }
}
