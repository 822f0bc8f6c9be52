import Foundation
import Program

/// A machine of a test's own: scratch home, private environment, our programs on its PATH, and, on request, a private
/// bus with the real keyring daemon. Whatever is missing fails the test and says which package brings it.
///
/// It keeps everything that was started in it alive until it goes itself.
package final class World {
    package let scratch: Scratch
    package private(set) var environment: [String: String]
    package private(set) var bus: SessionBus?
    package private(set) var keyring: KeyringDaemon?
    private var kept: [AnyObject] = []

    /// What stands on the session bus.
    package enum Desktop: Sendable {
        case noBus
        /// A bus, and nobody who owns or can be started for `org.freedesktop.secrets`.
        case noService
        case unlockedKeyring
    }

    /// - Parameter programs: false where no program of ours is run, so that none need be built.
    package init(_ desktop: Desktop = .unlockedKeyring, programs: Bool = true) throws {
        scratch = try Scratch()
        let programFolder = try scratch.folder("bin", mode: 0o755)
        if programs { try InstalledPrograms.link(into: programFolder) }
        environment = [
            "HOME": try scratch.folder("home"),
            "XDG_CONFIG_HOME": try scratch.folder("home/.config"),
            "XDG_DATA_HOME": try scratch.folder("home/.local/share"),
            "XDG_STATE_HOME": try scratch.folder("home/.local/state"),
            "XDG_CACHE_HOME": try scratch.folder("home/.cache"),
            "XDG_CONFIG_DIRS": try scratch.folder("etc-xdg"),
            "XDG_RUNTIME_DIR": try scratch.folder("run"),
            "TMPDIR": try scratch.folder("tmp"),
            "DOCKER_CONFIG": try scratch.folder("home/.docker"),
            "PATH": ([programFolder] + Tool.folders).joined(separator: ":"),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "SWIFT_BACKTRACE": "enable=no",
        ]
        guard desktop != .noBus else { return }
        try startBus()
        if desktop == .unlockedKeyring { try startKeyring() }
    }

    deinit {
        // Last started, first stopped: a server is gone before the folder that it writes to.
        while kept.popLast() != nil {}
        keyring = nil
        bus = nil
    }

    /// Ties a server's life to this world's.
    @discardableResult
    package func keep<Part: AnyObject>(_ part: Part) -> Part {
        kept.append(part)
        return part
    }

    /// Starts the session bus, again after it was killed.
    package func startBus() throws {
        bus = nil
        let bus = try SessionBus(in: scratch, environment: environment)
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        self.bus = bus
    }

    /// Starts the keyring daemon, again after it was killed. With another password than before it comes up locked.
    @discardableResult
    package func startKeyring(
        password: String = KeyringDaemon.password, prompter: MockPrompter? = nil
    ) throws -> KeyringDaemon {
        keyring = nil
        var environment = environment
        if let prompter { environment["GNOME_KEYRING_TEST_PROMPTER"] = prompter.busName }
        let daemon = try KeyringDaemon(in: scratch, environment: environment, password: password)
        keyring = daemon
        return daemon
    }

    /// Starts a daemon that has no keyring and makes none.
    package func startEmptyKeyring() throws {
        keyring = nil
        keyring = try KeyringDaemon(in: scratch, environment: environment, password: nil)
    }

    /// Changes or (with nil) removes variables for all that is run from now on.
    package func set(_ changes: [String: String?]) {
        environment = environment.changed(by: changes)
    }

    /// Starts a server in this world and keeps it.
    package func serve(_ program: String, _ arguments: [String], environment changes: [String: String?] = [:]) throws
        -> Server
    {
        keep(try Server(find(program), arguments, environment: environment.changed(by: changes)))
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - program: a name, looked up in this world's PATH, or a path.
    ///   - input: what it reads; its end follows at once.
    ///   - changes: variables that differ for this run; nil removes one.
    /// - Throws: ``Overdue`` when it still runs after `timeout` seconds; it is killed then.
    @discardableResult
    package func run(
        _ program: String, _ arguments: [String] = [], input: String = "", environment changes: [String: String?] = [:],
        timeout: Double = 60
    ) throws -> Outcome {
        try start(program, arguments, input: input, environment: changes).finish(within: timeout)
    }

    @discardableResult
    package func run(_ tool: Tool, _ arguments: [String] = [], input: String = "", timeout: Double = 60) throws
        -> Outcome
    {
        try run(tool.path(), arguments, input: input, timeout: timeout)
    }

    /// Starts a program whose end is waited for later.
    package func start(
        _ program: String, _ arguments: [String] = [], input: String = "", environment changes: [String: String?] = [:]
    ) throws -> Execution {
        let path = try find(program)
        ProgramLog.current?.add(path)
        return try Execution(
            path, arguments, name: program, input: input, environment: environment.changed(by: changes),
            in: scratch)
    }

    private func find(_ program: String) throws -> String {
        if program.contains("/") { return program }
        for folder in (environment["PATH"] ?? "").split(separator: ":") where access("\(folder)/\(program)", X_OK) == 0
        {
            return "\(folder)/\(program)"
        }
        if let tool = Tool(rawValue: program) { return try tool.path() }
        throw MissingPart(description: "\(program) is missing from the test's PATH")
    }
}

extension [String: String] {
    /// A copy with some values replaced or, by nil, removed.
    func changed(by changes: [String: String?]) -> [String: String] {
        var result = self
        for (name, value) in changes { result[name] = value }
        return result
    }
}
