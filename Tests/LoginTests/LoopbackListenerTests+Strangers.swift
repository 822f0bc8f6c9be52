import Foundation
import Login
import OpenIDConnect
import Sensitive
import Testing
import WebAddress

/// Requests that are not the answer: each is turned away, and the login waits on.
extension LoopbackListenerTests {
    struct Stranger: Sendable, CustomTestStringConvertible {
        var name: String
        var status: Int?
        var bytes: @Sendable (_ authority: String, _ state: String) -> String

        init(_ name: String, _ status: Int?, _ bytes: @escaping @Sendable (String, String) -> String) {
            self.name = name
            self.status = status
            self.bytes = bytes
        }

        /// A GET of `path` with our own Host.
        init(_ name: String, _ status: Int?, path: @escaping @Sendable (String) -> String, headers: String = "") {
            self.init(name, status) { "GET \(path($1)) HTTP/1.1\r\nHost: \($0)\r\n\(headers)\r\n" }
        }

        /// A GET of the right answer with another Host.
        init(_ name: String, _ status: Int?, host: @escaping @Sendable (String) -> String) {
            self.init(name, status) { authority, state in
                "GET /callback?code=c&state=\(state) HTTP/1.1\r\n\(host(authority))\r\n"
            }
        }

        /// A POST to the callback.
        init(_ name: String, _ status: Int?, post: @escaping @Sendable (String) -> String, headers: String) {
            self.init(name, status) { authority, state in
                let body = post(state)
                return "POST /callback HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "\(headers)\r\n\(body)"
            }
        }

        var testDescription: String { name }
    }

    static let form = "Content-Type: application/x-www-form-urlencoded\r\n"

    static let strangers: [Stranger] = [
        Stranger("favicon", 404, path: { _ in "/favicon.ico" }),
        Stranger("robots", 404, path: { _ in "/robots.txt" }),
        Stranger("root", 404, path: { _ in "/" }),
        Stranger("callback with more behind it", 404, path: { "/callback/?code=c&state=\($0)" }),
        Stranger("callback in capitals", 404, path: { "/CALLBACK?code=c&state=\($0)" }),
        Stranger("path traversal", 404, path: { _ in "/../../etc/passwd" }),
        Stranger("encoded traversal", 400, path: { _ in "/callback/..%2f..%2fetc" }),
        Stranger("start without its token", 404, path: { _ in "/start/" }),
        Stranger("start with another token", 404, path: { _ in "/start/" + String(repeating: "A", count: 43) }),
        Stranger("callback without a query", 400, path: { _ in "/callback" }),
        Stranger("code without state", 400, path: { _ in "/callback?code=c" }),
        Stranger("error without state", 400, path: { _ in "/callback?error=access_denied" }),
        Stranger("wrong state", 400, path: { _ in "/callback?code=c&state=AAAA" }),
        Stranger("error with a wrong state", 400, path: { _ in "/callback?error=access_denied&state=x" }),
        Stranger("empty state", 400, path: { _ in "/callback?code=c&state=" }),
        Stranger("state with a tail", 400, path: { "/callback?code=c&state=\($0)x" }),
        Stranger("state cut", 400, path: { "/callback?code=c&state=\($0.dropLast())" }),
        Stranger("state in other case", 400, path: { "/callback?code=c&state=\($0.uppercased())" }),
        Stranger("state twice", 400, path: { "/callback?code=c&state=\($0)&state=\($0)" }),
        Stranger("code twice", 400, path: { "/callback?code=c&code=d&state=\($0)" }),
        Stranger("foreign parameter twice", 400, path: { "/callback?code=c&x=1&x=2&state=\($0)" }),
        Stranger("neither code nor error", 400, path: { "/callback?state=\($0)" }),
        Stranger("empty code", 400, path: { "/callback?code=&state=\($0)" }),
        Stranger("broken percent", 400, path: { "/callback?code=%zz&state=\($0)" }),
        Stranger("NUL", 400, path: { "/callback?code=%00&state=\($0)" }),
        Stranger("not UTF-8", 400, path: { "/callback?code=%ff&state=\($0)" }),
        Stranger("state in the fragment", 400, path: { "/callback?code=c#state=\($0)" }),
        Stranger("foreign Host", 403, host: { _ in "Host: evil.example\r\n" }),
        Stranger("foreign Host with our port", 403, host: { "Host: evil.example\($0.dropFirst(9))\r\n" }),
        Stranger("Host without its port", 403, host: { _ in "Host: 127.0.0.1\r\n" }),
        Stranger("Host by name", 403, host: { "Host: localhost\($0.dropFirst(9))\r\n" }),
        Stranger("two Hosts", 403, host: { "Host: \($0)\r\nHost: evil.example\r\n" }),
        Stranger("two Hosts, ours last", 403, host: { "Host: evil.example\r\nHost: \($0)\r\n" }),
        Stranger("no Host", 400, host: { _ in "" }),
        Stranger(
            "foreign Origin", 403, path: { "/callback?code=c&state=\($0)" }, headers: "Origin: https://evil.example\r\n"
        ),
        Stranger("null Origin on GET", 403, path: { "/callback?code=c&state=\($0)" }, headers: "Origin: null\r\n"),
        Stranger(
            "Origin that begins like the issuer's", 403, path: { "/callback?code=c&state=\($0)" },
            headers: "Origin: https://issuer.example.evil.example\r\n"),
        Stranger("HEAD", 405) { "HEAD /callback?code=c&state=\($1) HTTP/1.1\r\nHost: \($0)\r\n\r\n" },
        Stranger("PUT", 405) {
            "PUT /callback?code=c&state=\($1) HTTP/1.1\r\nHost: \($0)\r\nContent-Length: 0\r\n\r\n"
        },
        Stranger("OPTIONS", 405) { authority, _ in "OPTIONS /callback HTTP/1.1\r\nHost: \(authority)\r\n\r\n" },
        Stranger(
            "POST as JSON", 405, post: { "{\"code\":\"c\",\"state\":\"\($0)\"}" },
            headers: "Content-Type: application/json\r\n"),
        Stranger("POST without a type", 405, post: { "code=c&state=\($0)" }, headers: ""),
        Stranger("POST with a wrong state", 400, post: { _ in "code=c&state=x" }, headers: form),
        Stranger("POST with the state twice", 400, post: { "code=c&state=\($0)&state=\($0)" }, headers: form),
        Stranger("POST with a broken percent", 400, post: { "code=%z&state=\($0)" }, headers: form),
        Stranger(
            "POST of another site", 403, post: { "code=c&state=\($0)" },
            headers: form + "Origin: https://evil.example\r\n"),
        Stranger(
            "POST too large", 413, post: { "code=c&state=\($0)&x=" + String(repeating: "x", count: 100_000) },
            headers: form),
        Stranger("POST in chunks", 413) { authority, state in
            let body = "code=c&state=\(state)"
            return "POST /callback HTTP/1.1\r\nHost: \(authority)\r\n\(form)Transfer-Encoding: chunked\r\n\r\n"
                + String(body.utf8.count, radix: 16) + "\r\n\(body)\r\n0\r\n\r\n"
        },
        Stranger("not HTTP", 400) { _, _ in "\u{16}\u{3}\u{1}\r\n\r\n" },
        Stranger("a head that never ends", nil) { authority, _ in
            "GET /callback HTTP/1.1\r\nHost: \(authority)\r\nX: " + String(repeating: "x", count: 200_000)
        },
    ]

    @Test(arguments: strangers)
    func turnsAwayAndGoesOnWaiting(stranger: Stranger) throws {
        let waiting = try wait()
        let answer = exchange(waiting.listener.port, stranger.bytes(waiting.authority, waiting.state))
        #expect(status(answer) == stranger.status)
        #expect(waiting.listener.answer == nil)
        #expect(!waiting.listener.wasStarted)
        let page = finish(waiting, with: .signedIn(issuer: "issuer.example", person: nil))
        #expect(status(page) == 200)
        #expect(waiting.listener.answer == .code(Secret("good")))
    }
}
