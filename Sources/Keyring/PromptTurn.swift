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
    /// - Parameter path: of the file; nil where there is no place for one.
    init?(_ path: String?) {
        switch path.map(FileLock.take) {
        case .taken(let file): self.file = file
        case .held, .removed: return nil
        case nil, .foreign, .failed: file = nil
        }
    }

    /// Where the turn of a bus lies; nil where there is no place.
    ///
    /// What killed processes have left there, for buses that may never come again, is cleared away.
    ///
    /// - Parameter bus: its identifier.
    static func path(bus: String) -> String? {
        guard let folder = try? LockFolder.make() else { return nil }
        // Whoever takes one that nobody holds removes it with that.
        for path in LockFolder.files(folder, endingIn: suffix) { _ = FileLock.take(path) }
        return "\(folder)/\(bus)\(suffix)"
    }

    private static let suffix = ".prompt"
}

extension SecretServiceClient {
    /// Waits for the turn, as long as there is a service that could still ask.
    func promptTurn() throws(KeyringError) -> PromptTurn {
        let path = try PromptTurn.path(bus: busIdentifier())
        if let turn = PromptTurn(path) { return turn }
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
            if !watch.isAwaitingLife, let turn = PromptTurn(path) { return turn }
        }
        throw giveUp(.timedOut(seconds: limits.prompt, whilePrompting: true))
    }

    /// What the bus calls itself, whichever of its addresses led to it (D-Bus Specification, "GetId").
    private func busIdentifier() throws(KeyringError) -> String {
        let bus = "org.freedesktop.DBus"
        let answer = try call("/org/freedesktop/DBus", bus, "GetId", nil, reply: "(s)", to: bus)
        let identifier = answer?.child(0).string ?? ""
        // It becomes a part of a file's name.
        return identifier.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit } ? identifier : ""
    }
}
