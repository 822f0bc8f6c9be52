import CGLib
import Glibc
import JSON
import Program

/// A desktop of the demo's own: a scratch home, a private bus, a real keyring daemon, the sandbox as issuer and git
/// server. Nothing of the person's is read or written, and all of it is gone at the end.
final class DemoWorld {
    let scratch: String
    /// The folder that this program lies in, and its siblings with it.
    let programs: String
    private(set) var issuer = ""
    private(set) var clientID = ""
    private var environment: [String: String]
    private var children: [pid_t] = []

    init() throws(Complaint) {
        guard let programs = ChildProcess.ownDirectory() else {
            throw Complaint("cannot tell where this program lies", exitCode: .configuration)
        }
        self.programs = programs
        // Short, because a socket's path may have 107 bytes.
        guard let made = g_dir_make_tmp("mojoauth-demo-XXXXXX", nil) else {
            throw Complaint("cannot make a scratch folder", exitCode: .temporary)
        }
        scratch = String(cString: made)
        g_free(made)
        environment = [
            "HOME": scratch + "/home", "XDG_CONFIG_HOME": scratch + "/home/.config", "XDG_DATA_HOME": scratch + "/data",
            "XDG_RUNTIME_DIR": scratch + "/run", "PATH": scratch + "/bin:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
            // A clone that finds no login must be refused, even where a person sits.
            "GCM_INTERACTIVE": "never",
        ]
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"] { environment[name] = ProcessEnvironment[name] }
        for folder in ["home", "data", "run", "bin", "repositories"] {
            guard mkdir(scratch + "/" + folder, 0o700) == 0 else {
                throw Complaint("cannot make \(scratch)/\(folder)", exitCode: .temporary)
            }
        }
        let links = [
            "mojoauth-credential": "mojoauth-credential", "mojoauth-sandbox": "mojoauth-sandbox",
            "git-credential-mojoauth": "mojoauth-helper",
        ]
        for (link, program) in links {
            guard access("\(programs)/\(program)", X_OK) == 0,
                symlink("\(programs)/\(program)", "\(scratch)/bin/\(link)") == 0
            else {
                throw Complaint(
                    "there is no \(program) in \(programs)", hint: "run 'make build'", exitCode: .configuration)
            }
        }
    }

    /// Ends what was started, newest first, and removes the scratch folder.
    func tearDown() {
        for child in children.reversed() {
            kill(child, SIGTERM)
            _ = ChildProcess.wait(for: child)
        }
        children = []
        _ = try? run("rm", ["-rf", scratch])
    }

    func startBus() throws(Complaint) {
        let configuration = scratch + "/bus.conf"
        // Nothing can be activated on it: what answers is what the demo started.
        let text = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
              "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(scratch)/run/bus</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*"/>
                <allow receive_sender="*"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """
        guard g_file_set_contents(configuration, text, -1, nil) != 0 else {
            throw Complaint("cannot write \(configuration)", exitCode: .temporary)
        }
        try start("dbus-daemon", ["--nofork", "--nopidfile", "--nosyslog", "--config-file=\(configuration)"])
        let address = "unix:path=\(scratch)/run/bus"
        try wait("the bus") { access("\(self.scratch)/run/bus", F_OK) == 0 }
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
    }

    func startKeyring() throws(Complaint) {
        let input = open(scratch + "/password", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard input >= 0 else {
            throw Complaint("cannot write in \(scratch)", exitCode: .temporary)
        }
        defer { close(input) }
        // The keyring's password; no line end, which would be part of it.
        guard (try? StandardStream.write(Array("demo".utf8), descriptor: input)) != nil, lseek(input, 0, SEEK_SET) == 0
        else { throw Complaint("cannot write in \(scratch)", exitCode: .temporary) }
        try start(
            "gnome-keyring-daemon",
            ["--foreground", "--unlock", "--components=secrets", "--control-directory=\(scratch)/run/keyring"],
            input: input)
        try wait("the keyring daemon") { self.hasOwner("org.freedesktop.secrets") }
    }

    /// - Parameter accessLifetime: seconds.
    func startIssuer(accessLifetime: Int) throws(Complaint) {
        let ready = scratch + "/ready.json"
        try start(
            "mojoauth-sandbox",
            [
                "serve", "--port", "0", "--ready-file", ready, "--log", logFile, "--access-lifetime",
                String(accessLifetime),
                "--git", scratch + "/repositories",
            ])
        try wait("the sandbox") { access(ready, R_OK) == 0 }
        guard let facts = Self.readJSON(ready), let issuer = facts["issuer"]?.string,
            let clientID = facts["client_id"]?.string
        else { throw Complaint("the sandbox's ready file is not understood", exitCode: .protocolFailure) }
        self.issuer = issuer
        self.clientID = clientID
    }

    var logFile: String { scratch + "/sandbox.log" }

    /// How many token requests of a grant type the issuer has answered well.
    func tokenRequests(_ grantType: String) -> Int {
        guard let bytes = Self.read(logFile) else { return 0 }
        return bytes.split(separator: 10).filter { line in
            guard let entry = (try? JSONValue(parsing: line))?.object else { return false }
            return entry["grant_type"]?.string == grantType && entry["status"]?.integer == 200
        }.count
    }

    /// Runs a program to its end; its words are kept for a step that fails.
    @discardableResult
    func run(
        _ program: String, _ arguments: [String], with extra: [String: String] = [:]
    ) throws(Complaint) -> (status: Int32, output: String, errors: String) {
        let errorFile = scratch + "/errors"
        let errors = open(errorFile, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(errors) }
        var child = command(program, arguments)
        child.environment = environment.merging(extra) { $1 }.map { "\($0.key)=\($0.value)" }
        child.errors = errors >= 0 ? .descriptor(errors) : .null
        do throws(ChildProcess.SpawnFailure) {
            let result = try child.capture()
            let said = Self.read(errorFile).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return (result.status, String(decoding: result.output, as: UTF8.self), said)
        } catch {
            throw Complaint(error.description, hint: "run 'make deps-demo'", exitCode: .configuration)
        }
    }

    private func start(_ program: String, _ arguments: [String], input: CInt? = nil) throws(Complaint) {
        var child = command(program, arguments)
        child.environment = environment.map { "\($0.key)=\($0.value)" }
        child.errors = .null
        if let input { child.input = .descriptor(input) }
        do throws(ChildProcess.SpawnFailure) {
            children.append(try child.spawn())
        } catch {
            throw Complaint(error.description, hint: "run 'make deps-demo'", exitCode: .configuration)
        }
    }

    private func command(_ program: String, _ arguments: [String]) -> ChildProcess {
        // A sibling by its own path; the rest by the demo's PATH, through env(1).
        var child =
            program.hasPrefix("mojoauth-")
            ? ChildProcess(path: "\(programs)/\(program)", arguments: [program] + arguments)
            : ChildProcess(named: program, arguments: arguments)
        // In our session, so that Ctrl-C ends the whole demo.
        child.ownSession = false
        return child
    }

    /// Looks every 10 ms, for 10 s at most.
    private func wait(_ what: String, until isReady: () -> Bool) throws(Complaint) {
        for _ in 0..<1000 {
            if isReady() { return }
            usleep(10_000)
        }
        throw Complaint("\(what) did not come up within 10 seconds", hint: "run 'make deps-demo'", exitCode: .temporary)
    }

    private func hasOwner(_ name: String) -> Bool {
        let result = try? run(
            "dbus-send",
            [
                "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
                "org.freedesktop.DBus.NameHasOwner",
                "string:\(name)",
            ])
        return result?.output.contains("true") ?? false
    }

    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return try? StandardStream.read(descriptor: descriptor, limit: 16 << 20)
    }

    private static func readJSON(_ path: String) -> JSONObject? {
        read(path).flatMap { try? JSONValue(parsing: $0) }?.object
    }
}
