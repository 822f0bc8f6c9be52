import CGLib

/// The one loop of a login: a private GMainContext whose sources are listener, requests, timers and signals.
///
/// Private, so that no library's source in the default context runs on our watch. Whoever waits iterates it; a wait
/// inside a wait serves the outer one's sources too, so the listener goes on answering while a request is under way.
/// Everything that makes a source through GIO does so inside ``perform(_:)``.
package final class EventLoop {
    private let context: OpaquePointer
    /// The signal that asked us to end, once one of those in ``watchSignals(_:)`` has come.
    package private(set) var interruption: CInt?

    package init() {
        context = g_main_context_new()
    }

    deinit {
        g_main_context_unref(context)
    }

    /// Runs `body` with the loop as the thread's default context, which is where GIO puts its sources.
    package func perform<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        return try body()
    }

    /// Dispatches sources until `isDone`, which is asked before each wait.
    package func run(until isDone: () -> Bool) {
        perform {
            while !isDone() { g_main_context_iteration(context, 1) }
        }
    }

    /// Dispatches what is ready and does not wait.
    package func drain() {
        perform {
            while g_main_context_iteration(context, 0) != 0 {}
        }
    }

    /// Calls `action` once after so many seconds, or again and again; no more once the source is gone.
    package func timer(after seconds: Double, repeats: Bool = false, _ action: @escaping () -> Void) -> EventSource {
        let milliseconds = guint(min(max(seconds, 0) * 1000, Double(guint.max / 2)))
        return EventSource(adopting: g_timeout_source_new(milliseconds), context: context) {
            action()
            return repeats
        }
    }

    /// Waits for so many seconds, or until ``interruption``.
    package func pause(for seconds: Double) {
        var isOver = false
        let timer = timer(after: seconds) { isOver = true }
        run { isOver || interruption != nil }
        withExtendedLifetime(timer) {}
    }

    /// Calls `action` whenever the descriptor can be read without waiting, until it returns false.
    package func reader(of descriptor: CInt, _ action: @escaping () -> Bool) -> EventSource {
        EventSource(reading: descriptor, context: context, action: action)
    }

    /// Turns SIGINT, SIGTERM and SIGHUP into ``interruption`` while the sources live; afterwards they have their
    /// default action. One that is ignored (nohup, a job in the background) stays ignored.
    package func watchSignals(_ signals: [CInt] = [SIGINT, SIGTERM, SIGHUP]) -> [EventSource] {
        signals.filter { !Self.isIgnored($0) }.map { signal in
            EventSource(adopting: g_unix_signal_source_new(signal), context: context) { [unowned self] in
                interruption = interruption ?? signal
                return true
            }
        }
    }

    private static func isIgnored(_ signal: CInt) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        // SIG_IGN is a function pointer that cannot be compared: its address is 1.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// Starts an asynchronous call of GIO's and waits for its result.
    ///
    /// - Parameters:
    ///   - keeping: what the call reads or writes; it lives until GIO is done with it, also when nobody waits any more.
    ///   - isAbandoned: asked before each wait; once true the call is left to itself.
    ///   - start: makes the call with the callback and the user data it is given.
    /// - Returns: the GAsyncResult, which the receiver unrefs; nil when the call was abandoned.
    func result(
        keeping: AnyObject, abandonedWhen isAbandoned: () -> Bool,
        _ start: (GAsyncReadyCallback, UnsafeMutableRawPointer) -> Void
    ) -> OpaquePointer? {
        let call = PendingCall(keeping: keeping)
        perform {
            start(
                { _, result, data in
                    guard let data, let result else { return }
                    let call = Unmanaged<PendingCall>.fromOpaque(data).takeRetainedValue()
                    call.result = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(result)))
                }, Unmanaged.passRetained(call).toOpaque())
        }
        run { call.result != nil || isAbandoned() }
        let result = call.result
        call.result = nil
        return result
    }
}

/// The result of a call that GIO has not ended yet.
private final class PendingCall {
    private let kept: AnyObject
    var result: OpaquePointer?

    init(keeping kept: AnyObject) {
        self.kept = kept
    }

    deinit {
        // It came after its waiter had gone.
        if let result { g_object_unref(UnsafeMutableRawPointer(result)) }
    }
}
