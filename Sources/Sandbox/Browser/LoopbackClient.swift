import CGLib
import CSoup
import Program
import WebAddress

/// An HTTP client that talks to this machine alone, follows nothing and keeps nothing.
package final class LoopbackClient {
    package struct Answer: Sendable {
        package var status: Int
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]

        /// The values of a header.
        package func values(_ name: String) -> [String] {
            headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        }

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let session: UnsafeMutablePointer<SoupSession>

    /// - Parameter timeout: seconds without a sign of life.
    package init(timeout: Int = 60) throws(Complaint) {
        guard let object = g_object_new_with_properties(soup_session_get_type(), 0, nil, nil) else {
            throw Complaint("cannot make an HTTP session", exitCode: .protocolFailure)
        }
        session = UnsafeMutableRawPointer(object).assumingMemoryBound(to: SoupSession.self)
        // libsoup would ask a proxy for loopback, too.
        soup_session_set_proxy_resolver(session, nil)
        soup_session_set_timeout(session, guint(timeout))
    }

    deinit {
        g_object_unref(session)
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Throws: ``Complaint`` for an address that is not loopback, and when no answer comes.
    package func send(
        _ method: String, _ url: WebURL, headers: [(name: String, value: String)] = [], form: FormFields? = nil
    ) throws(Complaint) -> Answer {
        guard url.origin.host.isLoopback else {
            throw Complaint("will not go to \(url.origin): it is not on this machine", exitCode: .usage)
        }
        guard let message = soup_message_new(method, url.description) else {
            throw Complaint("cannot ask for \(url.origin)\(url.path)", exitCode: .usage)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(message)) }
        soup_message_add_flags(message, SOUP_MESSAGE_NO_REDIRECT)
        let requestHeaders = soup_message_get_request_headers(message)
        for header in headers { soup_message_headers_append(requestHeaders, header.name, header.value) }
        if let form {
            let bytes = Array(form.encoded.utf8)
            let body = g_bytes_new(bytes, gsize(bytes.count))
            soup_message_set_request_body_from_bytes(message, "application/x-www-form-urlencoded", body)
            g_bytes_unref(body)
        }
        // Nobody vouches for a sandbox's certificate, and nobody else can be on this machine's loopback.
        let accept: @convention(c) (OpaquePointer?, OpaquePointer?, guint, gpointer?) -> gboolean = { _, _, _, _ in 1 }
        g_signal_connect_data(
            UnsafeMutableRawPointer(message), "accept-certificate", unsafeBitCast(accept, to: GCallback.self), nil, nil,
            GConnectFlags(rawValue: 0))
        let bytes: OpaquePointer
        do {
            bytes = try GLibFailure.check { soup_session_send_and_read(session, message, nil, $0) }
        } catch {
            throw Complaint("no answer from \(url.origin): \(error.message)", exitCode: .temporary)
        }
        defer { g_bytes_unref(bytes) }
        var count: gsize = 0
        let start = g_bytes_get_data(bytes, &count)
        return Answer(
            status: Int(soup_message_get_status(message).rawValue),
            headers: HeaderList.copy(soup_message_get_response_headers(message)),
            body: Array(UnsafeRawBufferPointer(start: start, count: Int(count))))
    }
}
