import CGLib
import Glibc

/// The turn to ask a person, of all our processes on one bus: an flock on a file in the runtime folder.
///
/// gnome-keyring 42 loses prompts that are asked for while another one is open, and whoever asked waits for nothing. And
/// a keyring that one prompt has unlocked needs no second one.
final class PromptTurn {
    private let descriptor: CInt

    /// Nil while another process has it. Without a folder for the file, or if it is not ours, everybody has it.
    init?() {
        let folder = SessionBus.runtimeFolder(getenv("XDG_RUNTIME_DIR").map { String(cString: $0) })
        descriptor = open("\(folder)/mojoauth-credential.prompt", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
            close(descriptor)
            return nil
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}

extension SecretServiceClient {
    /// Waits for the turn, as long as there is a service that could still ask.
    func promptTurn() throws(KeyringError) -> PromptTurn {
        if let turn = PromptTurn() { return turn }
        let deadline = g_get_monotonic_time() + gint64(limits.prompt * 1e6)
        let watch = try PromptWatch(connection: connection(), context: wait.context)
        g_main_context_push_thread_default(wait.context)
        defer { g_main_context_pop_thread_default(wait.context) }
        while g_get_monotonic_time() < deadline {
            // flock has no limit of its own.
            usleep(20_000)
            while g_main_context_iteration(wait.context, 0) != 0 {}
            if let verdict = watch.verdict { throw giveUp(verdict) }
            // A service that owes a sign of life may be why the one before us has given up.
            if !watch.isAwaitingLife, let turn = PromptTurn() { return turn }
        }
        throw giveUp(.timedOut(seconds: limits.prompt, whilePrompting: true))
    }
}
