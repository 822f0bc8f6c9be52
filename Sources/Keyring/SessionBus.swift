import CGLib
import Glibc

/// Where the session bus is, found without GDBus's autolaunch, which would ask for an X11 display by name.
enum SessionBus {
    /// Makes sure that GDBus will look where a bus is: `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in the runtime
    /// folder, if it is there and ours.
    ///
    /// - Returns: the address, for messages.
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
        // g_bus_get reads the environment alone; our own children may use the bus that we found, too.
        setenv(name, address, 1)
        return address
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
