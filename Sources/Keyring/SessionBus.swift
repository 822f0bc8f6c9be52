import CGLib
import Glibc

/// Where the session bus is, found without GDBus's autolaunch, which would ask for an X11 display by name.
enum SessionBus {
    /// `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in the runtime folder, if it is there and ours.
    static func locate() throws(KeyringError) -> String {
        let name = "DBUS_SESSION_BUS_ADDRESS"
        if let given = getenv(name).map({ String(cString: $0) }), !given.isEmpty {
            guard !given.hasPrefix("autolaunch:"), !given.hasPrefix("disabled:") else {
                throw .busUnreachable(address: given, reason: "not an address of a running bus")
            }
            return given
        }
        let path = runtimeFolder(getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }) + "/bus"
        guard isOurs(path, S_IFSOCK), let escaped = g_dbus_address_escape_value(path) else { throw .noBus }
        defer { g_free(escaped) }
        let address = "unix:path=\(String(cString: escaped))"
        // Our children may use the bus that we found, too.
        setenv(name, address, 1)
        return address
    }

    /// Connects to the bus at `address`, in this thread.
    ///
    /// Where GDBus is asked not to block, it starts a thread to connect in, and libsecret's proxy asks it once more. A limit
    /// on the socket does as well: it keeps a bus that is stopped from keeping us.
    ///
    /// - Parameter seconds: that the bus may take for a word of its own, rounded up to whole ones.
    /// - Throws: `busUnreachable`, or `timedOut` after that.
    static func connect(to address: String, within seconds: Double) throws(KeyringError) -> OpaquePointer {
        let started = g_get_monotonic_time()
        var failure: UnsafeMutablePointer<GError>?
        guard let stream = g_dbus_address_get_stream_sync(address, nil, nil, &failure) else {
            throw .busUnreachable(address: address, reason: SecretServiceClient.take(&failure).text)
        }
        defer { g_object_unref(stream) }
        let socket = mojoauth_stream_socket(stream)
        if let socket { g_socket_set_timeout(socket, guint(seconds.rounded(.up))) }
        let flags = GDBusConnectionFlags(
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        guard let connection = g_dbus_connection_new_sync(stream, nil, flags, nil, nil, &failure) else {
            let reason = SecretServiceClient.take(&failure).text
            guard Double(g_get_monotonic_time() - started) / 1e6 < seconds else {
                throw .timedOut(seconds: seconds, whilePrompting: false)
            }
            throw .busUnreachable(address: address, reason: reason)
        }
        // From here on every call has a limit of its own, and a person may take longer.
        if let socket { g_socket_set_timeout(socket, 0) }
        return connection
    }

    /// The folder that is named, or the one that systemd makes where none is, or where it is another user's, as after su.
    static func runtimeFolder(_ named: String?) -> String {
        if let named, isOurs(named, S_IFDIR) { return named }
        return "/run/user/\(geteuid())"
    }

    private static func isOurs(_ path: String, _ kind: mode_t) -> Bool {
        var status = stat()
        return path.hasPrefix("/") && stat(path, &status) == 0 && status.st_mode & S_IFMT == kind
            && status.st_uid == geteuid()
    }
}
