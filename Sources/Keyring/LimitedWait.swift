import CGLib

/// Waits for asynchronous GLib calls with a limit that holds whatever the other side does.
///
/// libsecret's blocking calls can wait for ever once a prompt is open and the daemon dies, and no GCancellable frees
/// them. So calls are started on one private context, which is iterated until the answer, a soft limit (the call is
/// cancelled) or a hard limit a little later (the call is abandoned where it stands). A prompt is only abandoned: its
/// cancelling would be Dismiss, which makes gnome-keyring 42 abort while the prompt is open.
final class LimitedWait {
    enum Outcome {
        /// The results to hand to the calls' `_finish`, in the order of their starts; the receiver owns them.
        case finished([OpaquePointer])
        case abandoned
        /// The watched condition came true first.
        case interrupted
    }

    /// How long a cancelled call may take to end by itself, in milliseconds.
    private static let grace: UInt32 = 300

    // One context for the life of a client: the signals of a proxy go to the context it was made in.
    let context: OpaquePointer

    init() {
        context = g_main_context_new()
    }

    deinit {
        g_main_context_unref(context)
    }

    /// What starts a call, with what it is given. A type with a name, because Swift would make that of a list of functions
    /// anew in every process.
    struct Start {
        let run:
            (
                _ cancellable: UnsafeMutablePointer<GCancellable>?, _ callback: GAsyncReadyCallback, _ data: gpointer
            ) -> Void
    }

    /// Starts calls and waits until all of them have ended.
    ///
    /// - Parameters:
    ///   - seconds: the soft limit.
    ///   - cancels: false: at the limit the calls are abandoned at once.
    ///   - interruption: looked at after every event; true ends the wait at once.
    ///   - starts: one for each call.
    func run(
        seconds: Double, cancels: Bool = true, interruption: () -> Bool = { false }, _ starts: [Start]
    ) -> Outcome {
        let cancellable = g_cancellable_new()
        defer { g_object_unref(cancellable) }
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }

        let alarm = Alarm(cancellable: cancellable)
        let soft =
            !cancels
            ? nil
            : addTimeout(UInt32(seconds * 1000), alarm) { data in
                data.map { g_cancellable_cancel(Unmanaged<Alarm>.fromOpaque($0).takeUnretainedValue().cancellable) }
                return 0
            }
        let hard = addTimeout(UInt32(seconds * 1000) + (cancels ? Self.grace : 0), alarm) { data in
            data.map { Unmanaged<Alarm>.fromOpaque($0).takeUnretainedValue().isOver = true }
            return 0
        }
        defer { for source in [soft, hard].compactMap(\.self) { g_source_destroy(source); g_source_unref(source) } }

        let pending = starts.map { start in
            let call = PendingCall()
            // The call holds a reference of its own: an abandoned one may still call back, on a context nobody iterates.
            start.run(
                cancellable,
                { _, result, data in
                    guard let data, let result else { return }
                    g_object_ref(UnsafeMutableRawPointer(result))
                    Unmanaged<PendingCall>.fromOpaque(data).takeRetainedValue().result = result
                }, Unmanaged.passRetained(call).toOpaque())
            return call
        }
        return withExtendedLifetime(alarm) {
            while true {
                if pending.allSatisfy({ $0.result != nil }) { return .finished(pending.compactMap { $0.take() }) }
                if alarm.isOver { return .abandoned }
                if interruption() { return .interrupted }
                g_main_context_iteration(context, 1)
            }
        }
    }

    private func addTimeout(_ milliseconds: UInt32, _ alarm: Alarm, _ fired: GSourceFunc) -> UnsafeMutablePointer<
        GSource
    >? {
        let source = g_timeout_source_new(milliseconds)
        g_source_set_callback(source, fired, Unmanaged.passUnretained(alarm).toOpaque(), nil)
        g_source_attach(source, context)
        return source
    }
}

private final class PendingCall {
    /// Owned.
    var result: OpaquePointer?

    deinit {
        if let result { g_object_unref(UnsafeMutableRawPointer(result)) }
    }

    func take() -> OpaquePointer? {
        defer { result = nil }
        return result
    }
}

private final class Alarm {
    let cancellable: UnsafeMutablePointer<GCancellable>?
    var isOver = false

    init(cancellable: UnsafeMutablePointer<GCancellable>?) {
        self.cancellable = cancellable
    }
}
