import CGLib
import CSoup
import Login
import OpenIDConnect

/// An HTTP server in the loop of the client under test: what it answers is a closure.
final class TestServer {
    struct Request {
        var method: String
        var path: String
        var query: String
        var headers: [String: String]
        var body: String
    }

    struct Reply {
        var status = 200
        var headers: [String: String] = [:]
        var body = ""

        static func json(_ body: String, status: Int = 200) -> Reply {
            Reply(status: status, headers: ["Content-Type": "application/json"], body: body)
        }
    }

    let port: Int
    private(set) var requests: [Request] = []
    private let server: UnsafeMutablePointer<SoupServer>
    private let loop: EventLoop
    private let answer: (Request) -> Reply

    var url: String { "\(scheme)://127.0.0.1:\(port)" }
    private let scheme: String

    init(loop: EventLoop, certificate: TestCertificate? = nil, answer: @escaping (Request) -> Reply) throws {
        self.loop = loop
        self.answer = answer
        scheme = certificate == nil ? "http" : "https"
        let server = loop.perform {
            UnsafeMutableRawPointer(g_object_new_with_properties(soup_server_get_type(), 0, nil, nil))
                .assumingMemoryBound(to: SoupServer.self)
        }
        self.server = server
        var options = SOUP_SERVER_LISTEN_IPV4_ONLY
        if let certificate {
            guard let tls = g_tls_certificate_new_from_files(certificate.path, certificate.keyPath, nil) else {
                throw TestFailure("the certificate cannot be read")
            }
            soup_server_set_tls_certificate(server, tls)
            g_object_unref(tls)
            options.rawValue |= SOUP_SERVER_LISTEN_HTTPS.rawValue
        }
        guard loop.perform({ soup_server_listen_local(server, 0, options, nil) }) != 0 else {
            throw TestFailure("the test server cannot listen")
        }
        let uris = soup_server_get_uris(server)
        defer { g_slist_free_full(uris) { g_uri_unref(OpaquePointer($0)) } }
        guard let first = uris?.pointee.data else { throw TestFailure("the test server has no address") }
        port = Int(g_uri_get_port(OpaquePointer(first)))
        soup_server_add_handler(
            server, nil,
            { _, message, _, _, data in
                guard let message, let data else { return }
                Unmanaged<TestServer>.fromOpaque(data).takeUnretainedValue().handle(message)
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    deinit {
        loop.perform { soup_server_disconnect(server) }
        g_object_unref(server)
    }

    private func handle(_ message: OpaquePointer) {
        let request = Self.read(message)
        requests.append(request)
        let reply = answer(request)
        let headers = soup_server_message_get_response_headers(message)
        for (name, value) in reply.headers { soup_message_headers_replace(headers, name, value) }
        soup_server_message_set_status(message, guint(reply.status), nil)
        var body = reply.body
        body.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                soup_server_message_set_response(
                    message, reply.headers["Content-Type"] ?? "text/html", SOUP_MEMORY_COPY, $0.baseAddress,
                    gsize($0.count))
            }
        }
    }

    private static func read(_ message: OpaquePointer) -> Request {
        let uri = soup_server_message_get_uri(message)
        var request = Request(
            method: soup_server_message_get_method(message).map { String(cString: $0) } ?? "",
            path: uri.flatMap { g_uri_get_path($0) }.map { String(cString: $0) } ?? "",
            query: uri.flatMap { g_uri_get_query($0) }.map { String(cString: $0) } ?? "", headers: [:], body: "")
        withUnsafeMutablePointer(to: &request.headers) { pointer in
            soup_message_headers_foreach(
                soup_server_message_get_request_headers(message),
                { name, value, data in
                    guard let name, let value, let data else { return }
                    data.assumingMemoryBound(to: [String: String].self).pointee[String(cString: name).lowercased()] =
                        String(cString: value)
                }, pointer)
        }
        if let bytes = soup_message_body_flatten(soup_server_message_get_request_body(message)) {
            var count: gsize = 0
            if let start = g_bytes_get_data(bytes, &count) {
                request.body = String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
            }
            g_bytes_unref(bytes)
        }
        return request
    }
}

struct TestFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}

extension EventLoop {
    /// Runs until something outside the loop has become true; false when that takes longer than `seconds`.
    @discardableResult
    func wait(atMost seconds: Double = 10, until isDone: () -> Bool) -> Bool {
        var isLate = false
        let limit = timer(after: seconds) { isLate = true }
        let tick = timer(after: 0.005, repeats: true) {}
        run { isLate || isDone() }
        limit.cancel()
        tick.cancel()
        return !isLate
    }
}
