import CGLib
import CSoup
import Sensitive
import WebAddress

/// One request under way: its deadline, its checks of the server, its answer as it comes.
final class HTTPExchange {
    private let request: HTTPRequest
    private let settings: HTTPSettings
    private let loop: EventLoop
    private let message: OpaquePointer
    private let cancellable: UnsafeMutablePointer<GCancellable> = g_cancellable_new()
    /// Why we ended it ourselves: GIO would only say "cancelled".
    private var ending: HTTPError.Reason?
    /// Set a moment after ``ending`` for what does not heed a cancellable.
    private var isAbandoned = false
    private var certificateFlaws = GTlsCertificateFlags(rawValue: 0)
    private var sources: [EventSource] = []
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16384, alignment: 1)

    /// What a call that was cancelled has left to end in, in seconds.
    private static let grace = 0.3

    /// Nil when libsoup does not take the address.
    init?(_ request: HTTPRequest, _ settings: HTTPSettings, _ loop: EventLoop) {
        self.request = request
        self.settings = settings
        self.loop = loop
        guard let message = soup_message_new(request.method.rawValue, request.url.description) else {
            g_object_unref(cancellable)
            chunk.deallocate()
            return nil
        }
        self.message = message
        soup_message_add_flags(message, SOUP_MESSAGE_NO_REDIRECT)
        let headers = soup_message_get_request_headers(message)
        soup_message_headers_replace(headers, "Accept", "application/json")
        if let authorization = request.authorization?.text {
            soup_message_headers_replace(headers, "Authorization", authorization)
        }
        if let form = request.form {
            let bytes = Self.makeBytes(form)
            soup_message_set_request_body_from_bytes(message, "application/x-www-form-urlencoded", bytes)
            g_bytes_unref(bytes)
        }
        watchServer()
    }

    deinit {
        sources = []
        g_object_unref(UnsafeMutableRawPointer(message))
        g_object_unref(cancellable)
        if let start = chunk.baseAddress { explicit_bzero(start, chunk.count) }
        chunk.deallocate()
    }

    /// A copy that is wiped when libsoup is done with it.
    private static func makeBytes(_ secret: Secret) -> OpaquePointer? {
        secret.withBytes { source in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 1)
            copy.copyMemory(from: source)
            let owner = Unmanaged.passRetained(WipedBuffer(copy))
            return g_bytes_new_with_free_func(
                copy.baseAddress, gsize(copy.count),
                { data in
                    guard let data else { return }
                    Unmanaged<WipedBuffer>.fromOpaque(data).release()
                }, owner.toOpaque())
        }
    }

    // MARK: The server

    private func watchServer() {
        let object = UnsafeMutableRawPointer(message)
        let me = Unmanaged.passUnretained(self).toOpaque()
        typealias Verdict =
            @convention(c) (OpaquePointer?, OpaquePointer?, GTlsCertificateFlags, UnsafeMutableRawPointer?) -> gboolean
        let refuse: Verdict = { _, _, flaws, data in
            guard let data else { return 0 }
            Unmanaged<HTTPExchange>.fromOpaque(data).takeUnretainedValue().certificateFlaws = flaws
            return 0
        }
        GObjects.connect(object, "accept-certificate", unsafeBitCast(refuse, to: GCallback.self), data: me)
        guard !settings.pins.isEmpty, request.url.origin.scheme == "https" else { return }
        // accept-certificate comes only for a certificate that is faulty otherwise; this comes for each, before any
        // header is written.
        typealias Notice = @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void
        let notice: Notice = { _, _, data in
            guard let data else { return }
            Unmanaged<HTTPExchange>.fromOpaque(data).takeUnretainedValue().checkPin()
        }
        GObjects.connect(object, "notify::tls-peer-certificate", unsafeBitCast(notice, to: GCallback.self), data: me)
    }

    private func checkPin() {
        guard let certificate = soup_message_get_tls_peer_certificate(message) else { return }
        if let pin = Self.der(of: certificate).flatMap({ KeyPin(certificate: $0) }), settings.pins.contains(pin) {
            return
        }
        end(.pinMismatch)
    }

    private static func der(of certificate: UnsafeMutablePointer<GTlsCertificate>) -> [UInt8]? {
        var value = GValue()
        g_value_init(&value, g_byte_array_get_type())
        defer { g_value_unset(&value) }
        g_object_get_property(
            UnsafeMutableRawPointer(certificate).assumingMemoryBound(to: GObject.self), "certificate", &value)
        guard let array = g_value_get_boxed(&value)?.assumingMemoryBound(to: GByteArray.self) else { return nil }
        return Array(UnsafeBufferPointer(start: array.pointee.data, count: Int(array.pointee.len)))
    }

    // MARK: The exchange

    func run(in session: UnsafeMutablePointer<SoupSession>) throws(HTTPError) -> HTTPResponse {
        let limit = settings.deadline
        sources = [
            loop.timer(after: limit) { [unowned self] in end(.timedOut(seconds: limit)) },
            loop.timer(after: limit + Self.grace) { [unowned self] in isAbandoned = true },
        ]
        defer { sources = [] }
        let stream = try openStream(session)
        defer { close(stream) }
        let body = try read(stream)
        // A proxy that refuses the tunnel answers in the server's place: no certificate was ever seen.
        let status = Int(soup_message_get_status(message).rawValue)
        if request.url.origin.scheme == "https", soup_message_get_tls_peer_certificate(message) == nil {
            throw HTTPError(.proxy("it answered with status \(status)"), request.url.origin)
        }
        return HTTPResponse(status: status, headers: headers(), body: body)
    }

    private func openStream(
        _ session: UnsafeMutablePointer<SoupSession>
    ) throws(HTTPError) -> UnsafeMutablePointer<GInputStream> {
        let result = answer { callback, data in
            soup_session_send_async(session, message, G_PRIORITY_DEFAULT, cancellable, callback, data)
        }
        guard let result else { throw failure() }
        defer { g_object_unref(UnsafeMutableRawPointer(result)) }
        var error: UnsafeMutablePointer<GError>?
        guard let stream = soup_session_send_finish(session, result, &error) else {
            throw failure(GLibError(adopting: error))
        }
        return stream
    }

    private func read(_ stream: UnsafeMutablePointer<GInputStream>) throws(HTTPError) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let result = answer { callback, data in
                g_input_stream_read_async(
                    stream, chunk.baseAddress, gsize(chunk.count), G_PRIORITY_DEFAULT, cancellable, callback, data)
            }
            guard let result else { throw failure() }
            defer { g_object_unref(UnsafeMutableRawPointer(result)) }
            var error: UnsafeMutablePointer<GError>?
            let count = g_input_stream_read_finish(stream, result, &error)
            guard count >= 0 else { throw failure(GLibError(adopting: error)) }
            if count == 0 { return body }
            guard body.count + count <= settings.sizeLimit else {
                end(.tooLarge(limit: settings.sizeLimit))
                throw failure()
            }
            body += chunk.prefix(count)
        }
    }

    /// Waits for one call; a signal of the loop ends it.
    private func answer(_ start: (GAsyncReadyCallback, UnsafeMutableRawPointer) -> Void) -> OpaquePointer? {
        loop.result(
            keeping: self,
            abandonedWhen: {
                if let signal = loop.interruption { end(.interrupted(signal)) }
                return isAbandoned
            }, start)
    }

    private func end(_ reason: HTTPError.Reason) {
        guard ending == nil else { return }
        ending = reason
        sources.append(loop.timer(after: Self.grace) { [unowned self] in isAbandoned = true })
        g_cancellable_cancel(cancellable)
    }

    private func close(_ stream: UnsafeMutablePointer<GInputStream>) {
        loop.perform { _ = g_input_stream_close(stream, nil, nil) }
        g_object_unref(stream)
    }

    private func headers() -> [String: String] {
        var result: [String: String] = [:]
        withUnsafeMutablePointer(to: &result) { pointer in
            soup_message_headers_foreach(
                soup_message_get_response_headers(message),
                { name, value, data in
                    guard let name, let value, let data else { return }
                    let headers = data.assumingMemoryBound(to: [String: String].self)
                    let key = String(cString: name).lowercased()
                    let text = String(cString: value)
                    headers.pointee[key] = headers.pointee[key].map { "\($0), \(text)" } ?? text
                }, pointer)
        }
        return result
    }

    private func failure(_ error: GLibError? = nil) -> HTTPError {
        HTTPError(ending ?? error.map { HTTPError.Reason($0, certificateFlaws) } ?? .cut, request.url.origin)
    }
}

/// Owner of a copy that libsoup reads; wiped at its end.
private final class WipedBuffer {
    private let buffer: UnsafeMutableRawBufferPointer

    init(_ buffer: UnsafeMutableRawBufferPointer) {
        self.buffer = buffer
    }

    deinit {
        if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
        buffer.deallocate()
    }
}
