import CGLib
import Glibc

/// The turn to ask a person, of all our processes on one bus: an flock on a file in the runtime folder.
///
/// gnome-keyring 42 loses prompts that are asked for while another one is open, and whoever asked waits for nothing. And
/// a keyring that one prompt has unlocked needs no second one.
final class PromptTurn {
    private let descriptor: CInt

    /// Waits for the turn. Without a folder for the file, or if it is not ours, everybody has it.
    ///
    /// - Returns: nil after `seconds`.
    init?(within seconds: Double) {
        let folder = SessionBus.runtimeFolder(getenv("XDG_RUNTIME_DIR").map { String(cString: $0) })
        descriptor = open("\(folder)/mojoauth-credential.prompt", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        let deadline = g_get_monotonic_time() + gint64(seconds * 1e6)
        while descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
            guard g_get_monotonic_time() < deadline else {
                close(descriptor)
                return nil
            }
            // flock has no limit of its own.
            usleep(20_000)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
