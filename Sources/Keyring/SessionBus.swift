import CGLib
import Glibc

/// Where the session bus is, found without GDBus's autolaunch, which would ask for an X11 display by name.
enum SessionBus {
    /// Makes sure that GDBus will look where a bus is: `DBUS_SESSION_BUS_ADDRESS`, else `$XDG_RUNTIME_DIR/bus`, else
    /// `/run/user/UID/bus`, each only if it is there and ours.
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
        let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
        let candidates = [runtime.map { "\($0)/bus" }, "/run/user/\(geteuid())/bus"].compactMap(\.self)
        for path in candidates where isOwnSocket(path) {
            guard let escaped = g_dbus_address_escape_value(path) else { continue }
            let address = "unix:path=\(String(cString: escaped))"
            g_free(escaped)
            // g_bus_get reads the environment alone; our own children may use the bus that we found, too.
            setenv(name, address, 1)
            return address
        }
        throw .noBus
    }

    private static func isOwnSocket(_ path: String) -> Bool {
        var status = stat()
        return path.hasPrefix("/") && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
            && status.st_uid == geteuid()
    }
}
