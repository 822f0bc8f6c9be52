import Foundation

/// The real gnome-keyring-daemon on a private bus, with its files in the scratch home.
package final class KeyringDaemon {
    package static let password = "correct horse"

    private let server: Server

    /// - Parameter password: nil: no keyring is unlocked, nor made if there is none.
    ///
    /// Returns once the daemon owns its name on the bus.
    init(in scratch: Scratch, environment: [String: String], password: String?) throws {
        // No LF: it would be part of the password.
        let input = try scratch.write(password ?? "", to: "keyring-password")
        server = try Server(
            Tool.keyringDaemon.path(),
            [
                "--foreground", "--components=secrets", "--control-directory=\(try scratch.folder("run/keyring"))",
            ] + (password == nil ? [] : ["--unlock"]),
            environment: environment, input: input)
        let waiting = try Execution(
            Tool.gdbus.path(), ["wait", "--session", "--timeout", "15", "org.freedesktop.secrets"], name: "gdbus",
            input: "", environment: environment, in: scratch)
        let outcome = try waiting.finish(within: 20)
        guard outcome.exitCode == 0 else {
            throw MissingPart(description: "gnome-keyring-daemon did not come up: \(outcome)\n\(server.log)")
        }
    }

    /// No call is answered from now on; the bus keeps the name.
    package func freeze() { server.child.signal(SIGSTOP) }

    package func thaw() { server.child.signal(SIGCONT) }

    /// Ends it as a crash would, and waits until it is gone.
    package func kill() {
        server.child.signal(SIGKILL)
        _ = server.child.wait(seconds: 10)
    }
}
