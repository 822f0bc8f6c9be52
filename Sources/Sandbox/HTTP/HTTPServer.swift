import CGLib
import CSoup
import Program
import WebAddress

/// libsoup's server on one loopback address: turns its messages into requests and our responses into its messages.
final class HTTPServer {
    /// The largest body that a form of ours can have, with room to spare.
    private static let maximumBody = 1 << 20

    private let server: UnsafeMutablePointer<SoupServer>
    /// Scheme, address and port.
    private(set) var origin = ""
    var answer: ((HTTPRequest) -> HTTPResponse)?

    init() throws(Complaint) {
        guard let object = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil) else {
            throw Complaint("cannot make a server", exitCode: .protocolFailure)
        }
        server = UnsafeMutableRawPointer(object).assumingMemoryBound(to: SoupServer.self)
        soup_server_add_handler(server, nil, requestArrived, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    deinit {
        soup_server_disconnect(server)
        g_object_unref(server)
    }

    /// For what wants to see a request before its body.
    var soup: UnsafeMutablePointer<SoupServer> { server }

    /// Listens; from here on clients can connect.
    func listen(address: String, port: Int, certificateFile: String?, keyFile: String?) throws(Complaint) {
        guard let inet = g_inet_address_new_from_string(address), g_inet_address_get_is_loopback(inet) != 0 else {
            throw Complaint(
                "will not listen on \(address): it is not a loopback address",
                hint: "the sandbox lets everybody in; use 127.0.0.1 or ::1", exitCode: .usage)
        }
        defer { g_object_unref(inet) }
        do {
            if let certificateFile, let keyFile {
                let certificate = try GLibFailure.check {
                    g_tls_certificate_new_from_files(certificateFile, keyFile, $0)
                }
                soup_server_set_tls_certificate(server, certificate)
                g_object_unref(certificate)
            }
        } catch {
            throw Complaint(
                "cannot use the certificate \(certificateFile ?? ""): \(error.message)", exitCode: .configuration)
        }
        do {
            let scheme = certificateFile == nil ? "http" : "https"
            let bound = try listen(on: inet, port: port, isSecure: certificateFile != nil)
            let host = address.contains(":") ? "[\(address)]" : address
            origin = "\(scheme)://\(host):\(bound)"
        } catch {
            throw Complaint(
                "cannot listen on \(address) port \(port): \(error.message)",
                hint: "use --port 0 for any free port", exitCode: .temporary)
        }
    }

    /// A socket of our own, because libsoup's backlog of 10 stalls a burst of clients for seconds.
    private func listen(
        on inet: UnsafeMutablePointer<GInetAddress>, port: Int, isSecure: Bool
    ) throws(GLibFailure) -> Int {
        let socket = try GLibFailure.check {
            g_socket_new(g_inet_address_get_family(inet), G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, $0)
        }
        defer { g_object_unref(socket) }
        let wanted = g_inet_socket_address_new(inet, guint16(port))
        defer { g_object_unref(wanted) }
        g_socket_set_listen_backlog(socket, 256)
        try GLibFailure.check { g_socket_bind(socket, wanted, 1, $0) }
        try GLibFailure.check { g_socket_listen(socket, $0) }
        let options = isSecure ? SOUP_SERVER_LISTEN_HTTPS : SoupServerListenOptions(rawValue: 0)
        try GLibFailure.check { soup_server_listen_socket(server, socket, options, $0) }
        let bound = try GLibFailure.check { g_socket_get_local_address(socket, $0) }
        defer { g_object_unref(bound) }
        return Int(
            g_inet_socket_address_get_port(
                UnsafeMutableRawPointer(bound).assumingMemoryBound(to: GInetSocketAddress.self)))
    }

    fileprivate func handle(_ message: OpaquePointer) {
        let request = HTTPRequest(copying: message)
        guard request.body.count <= Self.maximumBody else {
            return Self.send(.text("the body is too large", status: 413), on: message)
        }
        guard let response = answer?(request) else { return soup_server_message_set_status(message, 503, nil) }
        guard response.delay > 0 else { return Self.send(response, on: message) }
        g_object_ref(UnsafeMutableRawPointer(message))
        soup_server_message_pause(message)
        let later = Unmanaged.passRetained(LateResponse(message: message, response: response)).toOpaque()
        g_timeout_add_full(
            G_PRIORITY_DEFAULT, guint(response.delay * 1000),
            { data in
                guard let data else { return 0 }
                let late = Unmanaged<LateResponse>.fromOpaque(data).takeRetainedValue()
                HTTPServer.send(late.response, on: late.message)
                if late.response.delivery == .whole { soup_server_message_unpause(late.message) }
                g_object_unref(UnsafeMutableRawPointer(late.message))
                return 0
            }, later, nil)
    }

    static func send(_ response: HTTPResponse, on message: OpaquePointer) {
        guard response.delivery == .whole else { return breakOff(response, on: message) }
        soup_server_message_set_status(message, guint(response.status), nil)
        let headers = soup_server_message_get_response_headers(message)
        // libsoup has put a Date there already.
        for header in response.headers where header.name == "Date" { soup_message_headers_remove(headers, "Date") }
        for header in response.headers { soup_message_headers_append(headers, header.name, header.value) }
        // libsoup 3.2 keeps the descriptor of a connection that its client has closed while it was idle.
        soup_message_headers_replace(headers, "Connection", "close")
        let body = soup_server_message_get_response_body(message)
        soup_message_body_append(body, SOUP_MEMORY_COPY, response.body, gsize(response.body.count))
    }

    /// Ends the connection by hand, after half the answer or before any of it.
    private static func breakOff(_ response: HTTPResponse, on message: OpaquePointer) {
        guard let connection = soup_server_message_steal_connection(message) else { return }
        if response.delivery == .truncated {
            let type = response.headers.first { $0.name == "Content-Type" }?.value ?? "application/json"
            let head =
                "HTTP/1.1 \(response.status) OK\r\nContent-Type: \(type)\r\nContent-Length: \(response.body.count)\r\n\r\n"
            let bytes = Array(head.utf8) + response.body.prefix(response.body.count / 2)
            g_output_stream_write_all(
                g_io_stream_get_output_stream(connection), bytes, gsize(bytes.count), nil, nil, nil)
        }
        g_io_stream_close(connection, nil, nil)
        g_object_unref(connection)
    }
}

/// An answer that waits for its time.
private final class LateResponse {
    let message: OpaquePointer
    let response: HTTPResponse

    init(message: OpaquePointer, response: HTTPResponse) {
        self.message = message
        self.response = response
    }
}

private let requestArrived: SoupServerCallback = { _, message, _, _, data in
    guard let message, let data else { return }
    Unmanaged<HTTPServer>.fromOpaque(data).takeUnretainedValue().handle(message)
}

extension HTTPRequest {
    /// Copies the head out of libsoup's message.
    init(copyingHeadOf message: OpaquePointer) {
        let uri = soup_server_message_get_uri(message)
        method = String(cString: soup_server_message_get_method(message))
        let spelled = g_uri_get_path(uri).map { String(cString: $0) } ?? "/"
        // A path that is not UTF-8 once decoded stays as spelled, and is none of ours.
        path =
            FormFields.percentDecode(Array(spelled.utf8)).flatMap { String(validating: $0, as: UTF8.self) } ?? spelled
        rawQuery = g_uri_get_query(uri).map { String(cString: $0) }
        headers = HeaderList.copy(soup_server_message_get_request_headers(message))
    }

    /// Copies everything, of a message whose body has been read and kept.
    init(copying message: OpaquePointer) {
        self.init(copyingHeadOf: message)
        let bytes = soup_message_body_flatten(soup_server_message_get_request_body(message))
        defer { g_bytes_unref(bytes) }
        var count: gsize = 0
        if let start = g_bytes_get_data(bytes, &count) {
            body = Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
        }
    }
}
