import CGLib

/// A source in a loop; it ends with the last reference to this object.
package final class EventSource {
    private let source: UnsafeMutablePointer<GSource>

    /// - Parameter action: tells whether the source shall go on.
    init(adopting source: UnsafeMutablePointer<GSource>, context: OpaquePointer, action: @escaping () -> Bool) {
        self.source = source
        g_source_set_callback(
            source,
            { data in
                guard let data else { return 0 }
                return Unmanaged<Action>.fromOpaque(data).takeUnretainedValue().call() ? 1 : 0
            },
            Unmanaged.passRetained(Action(action)).toOpaque(),
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
