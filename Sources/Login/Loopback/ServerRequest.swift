import CGLib
import CSoup

/// One request that reached the listener, and the way to answer it, at once or later.
final class ServerRequest {
    private let message: OpaquePointer
    private var finishedHandler: gulong = 0
    /// The answer has been written, or nobody is there to read it.
    private(set) var isFinished = false

    init(retaining message: OpaquePointer) {
        self.message = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(message)))
    }

    deinit {
        let object = UnsafeMutableRawPointer(message)
        if finishedHandler != 0 { g_signal_handler_disconnect(object, finishedHandler) }
        g_object_unref(object)
    }

    var method: String { soup_server_message_get_method(message).map { String(cString: $0) } ?? "" }

    /// Percent escapes and dot segments are undone by libsoup where they are harmless.
    var path: String {
        guard let uri = soup_server_message_get_uri(message), let path = g_uri_get_path(uri) else { return "" }
        return String(cString: path)
    }

    /// As it came: libsoup's table of the query hides what stands twice.
    var query: String? {
        guard let uri = soup_server_message_get_uri(message), let query = g_uri_get_query(uri) else { return nil }
        return String(cString: query)
    }

    /// All values of a header, joined by commas when it stands twice.
    subscript(header name: String) -> String? {
        soup_message_headers_get_list(soup_server_message_get_request_headers(message), name).map {
            String(cString: $0)
        }
    }

    var body: [UInt8] {
        guard let body = soup_server_message_get_request_body(message),
            let bytes = soup_message_body_flatten(body)
        else { return [] }
        defer { g_bytes_unref(bytes) }
        var count: gsize = 0
        guard let start = g_bytes_get_data(bytes, &count) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    /// Whose connection it came on.
    var peer: UnsafeMutablePointer<GSocketAddress>? { soup_server_message_get_remote_address(message) }

    /// Its announced size; nil when it is sent in chunks of unknown number.
    var announcedBodySize: Int? {
        let headers = soup_server_message_get_request_headers(message)
        guard soup_message_headers_get_encoding(headers) != SOUP_ENCODING_CHUNKED else { return nil }
        return Int(exactly: soup_message_headers_get_content_length(headers)) ?? Int.max
    }

    /// Lets the body pass by without keeping it.
    func dropBody() {
        soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
    }

    func answer(_ reply: ServerReply) {
        let headers = soup_server_message_get_response_headers(message)
        for header in ServerReply.commonHeaders + reply.headers {
            soup_message_headers_replace(headers, header.name, header.value)
        }
        soup_server_message_set_status(message, guint(reply.status), nil)
        var html = reply.html
        html.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                soup_server_message_set_response(
                    message, "text/html; charset=utf-8", SOUP_MEMORY_COPY, $0.baseAddress, gsize($0.count))
            }
        }
    }

    /// Puts the answer off until ``release(with:)``.
    func hold() {
        typealias Notice = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void
        let notice: Notice = { _, data in
            guard let data else { return }
            Unmanaged<ServerRequest>.fromOpaque(data).takeUnretainedValue().isFinished = true
        }
        finishedHandler = GObjects.connect(
            UnsafeMutableRawPointer(message), "finished", unsafeBitCast(notice, to: GCallback.self),
            data: Unmanaged.passUnretained(self).toOpaque())
        soup_server_message_pause(message)
    }

    func release(with reply: ServerReply) {
        guard !isFinished else { return }
        answer(reply)
        soup_server_message_unpause(message)
    }
}
