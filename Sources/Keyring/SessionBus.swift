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

    /// Connects to the bus at `address`, if that is a socket of this machine.
    ///
    /// GDBus, asked not to block, does this in a thread that it starts, and goes to the bus and back three times before it
    /// says hello; libsecret's proxy would ask it once more.
    ///
    /// - Parameter seconds: that the bus may take to know us.
    /// - Returns: nil where GDBus must do it.
    /// - Throws: `busUnreachable` or `timedOut`.
    static func connect(to address: String, within seconds: Double) throws(KeyringError) -> OpaquePointer? {
        guard address.hasPrefix("unix:") else { return nil }
        var failure: UnsafeMutablePointer<GError>?
        guard let stream = g_dbus_address_get_stream_sync(address, nil, nil, &failure) else {
            throw .busUnreachable(address: address, reason: SecretServiceClient.take(&failure).text)
        }
        defer { g_object_unref(stream) }
        guard let socket = mojoauth_stream_socket(stream) else { return nil }
        switch BusHandshake(descriptor: g_socket_get_fd(socket), limit: seconds).run() {
        case .known: break
        case .refused: return nil
        case .late: throw .timedOut(seconds: seconds, whilePrompting: false)
        }
        // It says hello. Should the bus stop in this moment, right after it has answered, GDBus gives up after 25 seconds.
        guard
            let connection = g_dbus_connection_new_sync(
                stream, nil, asClient(authenticating: false), nil, nil, &failure)
        else { throw .busUnreachable(address: address, reason: SecretServiceClient.take(&failure).text) }
        return connection
    }

    static func asClient(authenticating: Bool) -> GDBusConnectionFlags {
        let messages = G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        return GDBusConnectionFlags(
            authenticating ? messages | G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue : messages)
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
