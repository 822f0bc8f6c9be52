import CGLib
import Glibc
import Program

/// The turn to ask a person, of all processes of ours on one bus.
///
/// gnome-keyring 42 loses prompts that are asked for while another one is open, and whoever asked waits for nothing. And
/// a keyring that one prompt has unlocked needs no second one.
final class PromptTurn {
    /// Nil where there is no place for a file: then everybody has the turn.
    private let file: FileLock?

    /// Nil while another process has it.
    ///
    /// - Parameter bus: the bus's identifier, the same in whatever words its address is given.
    init?(bus: String) {
        guard let folder = try? LockFolder.make() else {
            file = nil
            return
        }
        switch FileLock.take("\(folder)/\(bus).prompt") {
        case .taken(let file): self.file = file
        case .held, .removed: return nil
        case .foreign, .failed: file = nil
        }
    }
}

extension SecretServiceClient {
    /// Waits for the turn, as long as there is a service that could still ask.
    func promptTurn() throws(KeyringError) -> PromptTurn {
        let bus = try bus()
        if let turn = PromptTurn(bus: bus.identifier) { return turn }
        let deadline = g_get_monotonic_time() + gint64(limits.prompt * 1e6)
        let watch = PromptWatch(connection: bus.connection, context: wait.context)
        g_main_context_push_thread_default(wait.context)
        defer { g_main_context_pop_thread_default(wait.context) }
        while g_get_monotonic_time() < deadline {
            // flock has no limit of its own.
            usleep(20_000)
            while g_main_context_iteration(wait.context, 0) != 0 {}
            if let verdict = watch.verdict { throw giveUp(verdict) }
            // A service that owes a sign of life may be why the one before us has given up.
            if !watch.isAwaitingLife, let turn = PromptTurn(bus: bus.identifier) { return turn }
        }
        throw giveUp(.timedOut(seconds: limits.prompt, whilePrompting: true))
    }
}
