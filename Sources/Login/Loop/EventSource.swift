import CGLib

/// A source in a loop; it ends with the last reference to this object.
package final class EventSource {
    private let source: UnsafeMutablePointer<GSource>

    /// - Parameter action: tells whether the source shall go on.
    convenience init(
        adopting source: UnsafeMutablePointer<GSource>, context: OpaquePointer, action: @escaping () -> Bool
    ) {
        self.init(
            adopting: source, context: context, action,
            calledBy: { data in
                guard let data else { return 0 }
                return Unmanaged<Action>.fromOpaque(data).takeUnretainedValue().call() ? 1 : 0
            })
    }

    /// A descriptor that has something to read, or whose other end has gone.
    convenience init(reading descriptor: CInt, context: OpaquePointer, action: @escaping () -> Bool) {
        typealias Watch = @convention(c) (gint, GIOCondition, UnsafeMutableRawPointer?) -> gboolean
        let watch: Watch = { _, _, data in
            guard let data else { return 0 }
            return Unmanaged<Action>.fromOpaque(data).takeUnretainedValue().call() ? 1 : 0
        }
        let conditions = GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue)
        // This kind of source calls with three arguments, whatever the setter's type says.
        self.init(
            adopting: g_unix_fd_source_new(descriptor, conditions), context: context, action,
            calledBy: unsafeBitCast(watch, to: GSourceFunc.self))
    }

    private init(
        adopting source: UnsafeMutablePointer<GSource>, context: OpaquePointer, _ action: @escaping () -> Bool,
        calledBy callback: GSourceFunc
    ) {
        self.source = source
        g_source_set_callback(
            source, callback, Unmanaged.passRetained(Action(action)).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<Action>.fromOpaque(data).release()
            })
        g_source_attach(source, context)
    }

    deinit {
        cancel()
        g_source_unref(source)
    }

    /// Ends the source now; a second call does nothing.
    package func cancel() {
        g_source_destroy(source)
    }

    private final class Action {
        let call: () -> Bool

        init(_ call: @escaping () -> Bool) {
            self.call = call
        }
    }
}
