import CGLib

/// What GObject's macros do in C.
enum GObjects {
    /// Connects a handler of any signature; `data` comes as its last argument and must outlive the object or the
    /// connection. The argument list is not checked by anybody.
    @discardableResult
    static func connect(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ handler: @escaping GCallback,
        data: UnsafeMutableRawPointer
    ) -> gulong {
        g_signal_connect_data(object, signal, handler, data, nil, GConnectFlags(rawValue: 0))
    }
}
