import Glibc

/// The terminal of this process, whatever its standard streams are.
package enum ControllingTerminal {
    /// Is there one that may be used? A process of a session of its own has none.
    package static var isThere: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}
