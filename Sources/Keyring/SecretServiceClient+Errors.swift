import CGLib
import Glibc

/// A GError, copied.
struct ReportedError {
    var domain: GQuark = 0
    var code: CInt = 0
    /// The D-Bus error name; nil when the error arose on this side.
    var remoteName: String?
    var text: String

    /// The object path is not there: gnome-keyring says UnknownMethod for an item that was deleted.
    var meansNoObject: Bool {
        switch remoteName {
        case "org.freedesktop.Secret.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownMethod":
            true
        default: false
        }
    }

    /// The session is not known, or is another connection's.
    var meansNoSession: Bool { remoteName == "org.freedesktop.Secret.Error.NoSession" }

    var meansLocked: Bool { remoteName == "org.freedesktop.Secret.Error.IsLocked" }
}

extension SecretServiceClient {
    /// Reads, copies and frees: the one way a GError leaves this module.
    static func take(_ failure: inout UnsafeMutablePointer<GError>?) -> ReportedError {
        guard let error = failure else {
            return ReportedError(text: "no reason given")
        }
        defer { g_clear_error(&failure) }
        var remoteName: String?
        if let name = g_dbus_error_get_remote_error(error) {
            remoteName = String(cString: name)
            g_free(name)
            g_dbus_error_strip_remote_error(error)
        }
        return ReportedError(
            domain: error.pointee.domain, code: error.pointee.code, remoteName: remoteName,
            text: String(cString: error.pointee.message))
    }

    static func keyringError(from error: ReportedError) -> KeyringError {
        if error.meansLocked { return .locked }
        if let name = error.remoteName {
            let bus = "org.freedesktop.DBus.Error."
            switch name {
            case bus + "ServiceUnknown", bus + "NameHasNoOwner":
                return .noService(reason: "nothing provides \(busName)")
            case bus + "NoReply", bus + "Disconnected": return .serviceVanished
            case _ where name.hasPrefix(bus + "Spawn"): return .noService(reason: "it failed to start (\(error.text))")
            default: return .refused(reason: error.text)
            }
        }
        if error.domain == g_io_error_quark() {
            switch GIOErrorEnum(rawValue: UInt32(bitPattern: error.code)) {
            case G_IO_ERROR_CLOSED, G_IO_ERROR_BROKEN_PIPE: return .serviceVanished
            case G_IO_ERROR_DBUS_ERROR: return .noService(reason: error.text)
            default: break
            }
        }
        return .refused(reason: error.text)
    }
}
