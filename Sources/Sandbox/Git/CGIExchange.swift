import CGLib
import CSoup

/// One request answered by a CGI program: the body streams in while the answer streams out.
///
/// Lives as long as its message, to which it is attached as data.
final class CGIExchange {
    /// More of a body than this is not taken from the client before the program has read.
    private static let highWater = 1 << 20
    private static let key = "mojoauth-cgi"

    private let message: OpaquePointer
    private let process: OpaquePointer
    private let input: UnsafeMutablePointer<GOutputStream>
    private let output: UnsafeMutablePointer<GInputStream>
    private let cancellable: UnsafeMutablePointer<GCancellable>
    private let answered: (Int) -> Void

    /// What the client sent and the program has not read yet.
    private var waiting: [UInt8] = []
    private var isWriting = false
    /// What is being written: it must stay until that is done.
    private var pending: OpaquePointer?
    private var isBodyComplete = false
    private var isPausedForInput = false
    /// The head of the answer while it is not complete, and once it is.
    private var headBytes: [UInt8] = []
    private var head: CGIHead?
    private var isOver = false

    init(
        message: OpaquePointer, environment: [(name: String, value: String)], answered: @escaping (Int) -> Void
    ) throws(GLibFailure) {
        let launcher = g_subprocess_launcher_new(
            GSubprocessFlags(rawValue: G_SUBPROCESS_FLAGS_STDIN_PIPE.rawValue | G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue)
        )
        defer { g_object_unref(launcher.map { UnsafeMutableRawPointer($0) }) }
        for variable in environment { g_subprocess_launcher_setenv(launcher, variable.name, variable.value, 1) }
        var argv: [UnsafePointer<CChar>?] = []
        let words = ["git", "http-backend"].map { (word: String) in g_strdup(word) }
        defer { for word in words { g_free(word) } }
        argv = words.map { UnsafePointer($0) } + [nil]
        process = try GLibFailure.check { g_subprocess_launcher_spawnv(launcher, argv, $0) }
        guard let input = g_subprocess_get_stdin_pipe(process), let output = g_subprocess_get_stdout_pipe(process),
            let cancellable = g_cancellable_new()
        else { throw GLibFailure(adopting: nil) }
        self.input = input
        self.output = output
        self.cancellable = cancellable
        self.message = message
        self.answered = answered
    }

    deinit {
        g_cancellable_cancel(cancellable)
        g_object_unref(cancellable)
        g_object_unref(UnsafeMutableRawPointer(process))
    }

    /// Ties the exchange to its message and starts both streams.
    func start() {
        let me = Unmanaged.passRetained(self).toOpaque()
        let object = UnsafeMutableRawPointer(message).assumingMemoryBound(to: GObject.self)
        g_object_set_data_full(
            object, Self.key, me,
            { data in
                if let data { Unmanaged<CGIExchange>.fromOpaque(data).release() }
            })
        connect("got-chunk", unsafeBitCast(chunkArrived, to: GCallback.self))
        connect("wrote-chunk", unsafeBitCast(chunkLeft, to: GCallback.self))
        connect("finished", unsafeBitCast(messageFinished, to: GCallback.self))
        let headers = soup_server_message_get_response_headers(message)
        soup_message_headers_set_encoding(headers, SOUP_ENCODING_CHUNKED)
        soup_message_body_set_accumulate(soup_server_message_get_response_body(message), 0)
        // git http-backend says nothing before it has read all it wants, so reading at once costs nothing and keeps
        // its pipe from filling up.
        read()
    }

    private func connect(_ signal: String, _ callback: GCallback) {
        g_signal_connect_data(
            UnsafeMutableRawPointer(message), signal, callback, Unmanaged.passUnretained(self).toOpaque(), nil,
            GConnectFlags(rawValue: 0))
    }

    /// The whole request has been read: the answer is wanted from now on.
    static func bodyEnded(of message: OpaquePointer) {
        let object = UnsafeMutableRawPointer(message).assumingMemoryBound(to: GObject.self)
        guard let data = g_object_get_data(object, key) else { return }
        Unmanaged<CGIExchange>.fromOpaque(data).takeUnretainedValue().bodyEnded()
    }

    private func bodyEnded() {
        isBodyComplete = true
        soup_server_message_pause(message)
        if !isWriting { write() }
        if head != nil { answer() }
    }

    /// Sends the head, and with it what has come of the body. Not before the request has been read: a message with a
    /// status is not handed to ``bodyEnded(of:)`` any more.
    private func answer() {
        guard isBodyComplete, let head else { return }
        soup_server_message_set_status(message, guint(head.status), nil)
        let headers = soup_server_message_get_response_headers(message)
        for header in head.headers { soup_message_headers_append(headers, header.name, header.value) }
        soup_message_headers_replace(headers, "Connection", "close")
        soup_server_message_unpause(message)
    }

    fileprivate func took(_ chunk: OpaquePointer) {
        var count: gsize = 0
        guard let start = g_bytes_get_data(chunk, &count) else { return }
        waiting += UnsafeRawBufferPointer(start: start, count: Int(count))
        if !isWriting { write() }
        if waiting.count > Self.highWater, !isPausedForInput {
            isPausedForInput = true
            soup_server_message_pause(message)
        }
    }

    /// Hands the program what is waiting, or the end of its input.
    private func write() {
        if waiting.isEmpty {
            if isPausedForInput, !isBodyComplete {
                isPausedForInput = false
                soup_server_message_unpause(message)
            }
            if isBodyComplete { g_output_stream_close_async(input, G_PRIORITY_DEFAULT, nil, nil, nil) }
            return
        }
        isWriting = true
        let bytes = g_bytes_new(waiting, gsize(waiting.count))
        waiting = []
        pending = bytes
        var size: gsize = 0
        let start = g_bytes_get_data(bytes, &size)
        g_output_stream_write_all_async(
            input, UnsafeMutableRawPointer(mutating: start), size, G_PRIORITY_DEFAULT, cancellable, programTook,
            Unmanaged.passRetained(self).toOpaque())
    }

    fileprivate func wrote(_ result: OpaquePointer?) {
        let isTaken = g_output_stream_write_all_finish(input, result, nil, nil) != 0
        g_bytes_unref(pending)
        pending = nil
        isWriting = false
        if isOver { return }
        // A program that reads no more may still have something to say: what is left of the body is dropped.
        if !isTaken { waiting = [] }
        write()
    }

    private func read() {
        g_input_stream_read_bytes_async(
            output, 65536, G_PRIORITY_DEFAULT, cancellable, programSaid, Unmanaged.passRetained(self).toOpaque())
    }

    fileprivate func said(_ result: OpaquePointer?) {
        guard let bytes = g_input_stream_read_bytes_finish(output, result, nil) else { return end() }
        defer { g_bytes_unref(bytes) }
        if isOver { return }
        var count: gsize = 0
        guard let start = g_bytes_get_data(bytes, &count), count > 0 else { return end() }
        let chunk = Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
        if head != nil { return send(chunk) }
        headBytes += chunk
        guard let parsed = CGIHead(parsing: headBytes) else { return headBytes.count > 65536 ? end() : read() }
        begin(parsed)
        if parsed.rest.isEmpty { read() } else { send(parsed.rest) }
    }

    private func begin(_ parsed: CGIHead) {
        head = parsed
        answered(parsed.status)
        answer()
    }

    private func send(_ chunk: [UInt8]) {
        soup_message_body_append(
            soup_server_message_get_response_body(message), SOUP_MEMORY_COPY, chunk, gsize(chunk.count))
        if isBodyComplete { soup_server_message_unpause(message) }
    }

    /// The client has taken a piece: time for the next.
    fileprivate func left() {
        if !isOver { read() }
    }

    /// The program is done, or nothing can be made of what it says.
    private func end() {
        guard !isOver else { return }
        isOver = true
        if head == nil { begin(CGIHead(status: 500)) }
        soup_message_body_complete(soup_server_message_get_response_body(message))
        if isBodyComplete { soup_server_message_unpause(message) }
        g_subprocess_wait_async(process, nil, nil, nil)
    }

    /// The message is gone, answered or broken off.
    fileprivate func finished() {
        isOver = true
        g_cancellable_cancel(cancellable)
        g_subprocess_force_exit(process)
    }
}

private func exchange(_ data: gpointer) -> Unmanaged<CGIExchange> { .fromOpaque(data) }

private let chunkArrived: @convention(c) (OpaquePointer?, OpaquePointer?, gpointer?) -> Void = { _, chunk, data in
    if let chunk, let data { exchange(data).takeUnretainedValue().took(chunk) }
}

private let chunkLeft: @convention(c) (OpaquePointer?, gpointer?) -> Void = { _, data in
    if let data { exchange(data).takeUnretainedValue().left() }
}

private let messageFinished: @convention(c) (OpaquePointer?, gpointer?) -> Void = { _, data in
    if let data { exchange(data).takeUnretainedValue().finished() }
}

private let programTook: GAsyncReadyCallback = { _, result, data in
    if let data { exchange(data).takeRetainedValue().wrote(result) }
}

private let programSaid: GAsyncReadyCallback = { _, result, data in
    if let data { exchange(data).takeRetainedValue().said(result) }
}
