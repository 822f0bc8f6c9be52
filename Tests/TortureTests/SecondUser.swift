import Foundation
import TestSupport

/// Another user of the same machine, with a login of their own at the same issuer, by the same profile.
///
/// A user namespace makes one, so that no account need be there: another user id, and a passwd database that names its
/// home. Bus and keyring are its own.
final class SecondUser {
    private let execution: Execution
    private let fifo: String

    /// Signs in, and returns once that is done.
    init(_ stage: Stage) throws {
        let world = stage.world
        fifo = try Self.home(in: world) + "/go"
        guard mkfifo(fifo, 0o600) == 0 else { throw MissingPart(description: "cannot make \(fifo)") }
        execution = try Self.start(
            """
            printf second | gnome-keyring-daemon --unlock --components=secrets >/dev/null
            gdbus wait --session --timeout 15 org.freedesktop.secrets || exit 3
            mojoauth-credential login >/dev/null || exit 4
            ask() { printf 'protocol=https\\nhost=git.example.com\\n%s\\n' "$2" | git-credential-mojoauth "$1"; }
            token=$(ask get | sed -n 's/^password=//p')
            echo ready >&2
            read -r line <'\(fifo)'
            ask erase "username=oauth2
            password=$token
            "
            ask get
            """, in: world)
        _ = try execution.waitForErrors { $0.contains("ready") ? true : nil }
    }

    static let id = 12345

    private static func home(in world: World) throws -> String { try world.scratch.folder("second") }

    /// Starts a script of bash's as that user, on a bus of its own.
    static func start(_ script: String, in world: World) throws -> Execution {
        let home = try home(in: world)
        let users = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
        let passwd = try world.scratch.write(
            users + "second:x:\(id):\(id)::\(home):/bin/sh\n", to: "second/passwd", mode: 0o644)
        let file = try world.scratch.write(script, to: "second/script")
        let switching = """
            mount --bind '\(passwd)' /etc/passwd &&
            exec unshare --user --map-user=\(id) --map-group=\(id) dbus-run-session -- bash '\(file)'
            """
        return try world.start(
            "timeout", ["100", "unshare", "--user", "--map-root-user", "--mount", "sh", "-c", switching],
            environment: [
                "HOME": home, "XDG_RUNTIME_DIR": try world.scratch.folder("second/run"), "XDG_STATE_HOME": nil,
                "XDG_DATA_HOME": nil, "DBUS_SESSION_BUS_ADDRESS": nil, "MOJOAUTH_CONFIG": world.configurationFile,
            ])
    }

    /// Has the token refused, and asks for another.
    func renew() throws -> Outcome {
        try "go\n".write(toFile: fifo, atomically: false, encoding: .utf8)
        return try execution.finish(within: 30)
    }
}
