import Foundation
import Testing
import TestSupport

/// `run`: a command with a token, the three ways, and what becomes of it.
@Suite(.serialized) struct RunTests {
    private static let own = ["run", "--host", SignedIn.host]
    private static let ways = ["--env", "--descriptor", "--file"]

    /// Runs a line of shell behind `--`.
    private func shell(
        _ world: World, _ options: [String], _ script: String, environment: [String: String?] = [:]
    ) throws -> Outcome {
        try world.run(
            "mojoauth-credential", Self.own + options + ["--", "sh", "-c", script], environment: environment)
    }

    private func tokenFiles(_ world: World) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: world.scratch.path("run")).filter { $0.contains("token") }
    }

    // MARK: The ways

    @Test func variableHoldsTheToken() throws {
        let signedIn = try SignedIn()
        let token = try signedIn.token()
        let named = try shell(
            signedIn.world, ["--env", "API_TOKEN"], "printf %s \"$API_TOKEN\"", environment: ["API_TOKEN": "old"])
        #expect(named.text == token && named.errors.isEmpty, "\(named)")
        let standard = try shell(signedIn.world, [], "printf %s \"$MOJOAUTH_TOKEN\"")
        #expect(standard.text == token, "\(standard)")
        // Once, and in no other variable.
        let all = try shell(signedIn.world, ["--env", "API_TOKEN"], "env")
        #expect(all.text.components(separatedBy: token).count == 2, "\(all)")
    }

    @Test func descriptorHoldsTheToken() throws {
        let signedIn = try SignedIn()
        let token = try signedIn.token()
        let script = "cat \"$T\" \"$T\" && cat /proc/self/fd/\"${T##*/}\" && echo \" $T\""
        let outcome = try shell(signedIn.world, ["--descriptor", "T"], script)
        #expect(outcome.text.hasPrefix(token + token + token + " /dev/fd/"), "\(outcome)")
        let bash = try signedIn.world.run(
            "mojoauth-credential",
            Self.own + ["--descriptor", "T", "--", "bash", "-c", "n=${T##*/}; cat <&$n; printf %s. \"$(env)\""])
        #expect(bash.text.hasPrefix(token) && bash.text.components(separatedBy: token).count == 2, "\(bash)")
    }

    /// What the manual says of who else gets it: a process of the same user that the command has not started.
    @Test(arguments: [("--env", "environ"), ("--descriptor", "fd/10"), ("--file", "path")])
    func everyProcessOfTheUserCanReadIt(_ way: String, _ place: String) throws {
        let signedIn = try SignedIn()
        let (world, token) = (signedIn.world, try signedIn.token())
        let note = world.scratch.path("note")
        let running = try world.start(
            "mojoauth-credential",
            Self.own + [
                way, "T", "--", "sh", "-c", "echo \"$$ $T\" >\(note).new; mv \(note).new \(note); exec sleep 60",
            ])
        let deadline = Date(timeIntervalSinceNow: 20)
        while !FileManager.default.fileExists(atPath: note), Date() < deadline { usleep(2000) }
        let words = try world.scratch.read("note").split(whereSeparator: \.isWhitespace).map(String.init)
        let process = try #require(words.first)
        let path = place == "path" ? try #require(words.last) : "/proc/\(process)/\(place)"
        let outcome = try world.run("cat", [path])
        #expect(outcome.exitCode == 0 && outcome.text.contains(token), "\(outcome.errors)")
        kill(try #require(pid_t(process)), SIGTERM)
        _ = try running.finish()
    }

    @Test func descriptorCannotBeWritten() throws {
        let signedIn = try SignedIn()
        let script = "(echo other >\"$T\"); (: >\"$T\"); (: >>\"$T\"); cat \"$T\""
        let outcome = try shell(signedIn.world, ["--descriptor", "T"], script)
        #expect(outcome.text == (try signedIn.token()), "\(outcome)")
    }

    @Test func fileHoldsTheTokenWhileTheCommandRuns() throws {
        let signedIn = try SignedIn()
        let token = try signedIn.token()
        let outcome = try shell(signedIn.world, ["--file", "T"], "cat \"$T\"; stat -c ' %a %F %n' \"$T\"; env")
        let folder = signedIn.world.scratch.path("run")
        #expect(outcome.text.hasPrefix("\(token) 600 regular file \(folder)/mojoauth-token-"), "\(outcome)")
        #expect(outcome.text.components(separatedBy: token).count == 2, "\(outcome)")
        #expect(try tokenFiles(signedIn.world).isEmpty)
        // A command that removed it itself is no error.
        #expect(try shell(signedIn.world, ["--file", "T"], "rm \"$T\"").exitCode == 0)
    }

    /// What the configuration says of a host holds here too.
    @Test func idTokenWhereTheEntrySaysSo() throws {
        let signedIn = try SignedIn(hosts: [SignedIn.host: ["token": "id"]])
        let outcome = try shell(signedIn.world, [], "printf %s \"$MOJOAUTH_TOKEN\"")
        #expect(outcome.text == (try signedIn.token()) && outcome.text.split(separator: ".").count == 3, "\(outcome)")
    }

    // MARK: Its end

    @Test(arguments: ways) func exitCodeIsTheCommands(_ way: String) throws {
        let world = try SignedIn().world
        for (script, exitCode) in [
            ("exit 0", 0), ("exit 1", 1), ("exit 77", 77), ("exit 255", 255), ("kill -KILL $$", 137),
            ("kill -TERM $$", 143), ("kill -SEGV $$", 139),
        ] as [(String, Int32)] {
            let outcome = try shell(world, [way, "T"], script)
            #expect(outcome.exitCode == exitCode && outcome.errors.isEmpty, "\(script): \(outcome)")
        }
        #expect(try tokenFiles(world).isEmpty)
    }

    @Test(arguments: ways) func commandThatCannotStart(_ way: String) throws {
        let world = try SignedIn().world
        try world.scratch.write("echo\n", to: "plain", mode: 0o644)
        try world.scratch.write("\u{1}\u{2}", to: "nonsense", mode: 0o755)
        try world.scratch.write("#!/no/such/shell\n", to: "orphan", mode: 0o755)
        for (command, exitCode, says) in [
            ("no-such-command", 127, "it is in no folder of PATH"), ("/no/such/command", 127, "No such file"),
            (world.scratch.path("plain"), 126, "Permission denied"), ("/etc", 126, "Is a directory"),
            (world.scratch.path("plain/x"), 127, "Not a directory"),
            (world.scratch.path("nonsense"), 126, "its shell: #!/bin/sh"),
            (world.scratch.path("orphan"), 127, "No such file"),
        ] as [(String, Int32, String)] {
            let outcome = try world.run("mojoauth-credential", Self.own + [way, "T", "--", command])
            #expect(outcome.exitCode == exitCode && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errors.contains("error: cannot start") && outcome.errors.contains(says), "\(outcome)")
        }
        // As in a shell: a file in PATH that may not be run is 126 when there is no other.
        let path = ["PATH": "\(world.scratch.path("")):\(world.environment["PATH"] ?? "")"]
        let refused = try world.run("mojoauth-credential", Self.own + [way, "T", "--", "plain"], environment: path)
        #expect(refused.exitCode == 126, "\(refused)")
        #expect(try tokenFiles(world).isEmpty)
    }

    @Test(arguments: ways, [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGQUIT])
    func signalReachesTheCommand(_ way: String, _ signal: Int32) throws {
        let world = try SignedIn().world
        let script = "trap 'echo got; exit 9' \(signal); echo ready >&2; while :; do sleep 0.05; done"
        let run = try world.start("mojoauth-credential", Self.own + [way, "T", "--", "sh", "-c", script])
        _ = try run.waitForErrors { $0.contains("ready") ? true : nil }
        #expect(try tokenFiles(world).count == (way == "--file" ? 1 : 0))
        run.child.signal(signal)
        let outcome = try run.finish(within: 20)
        #expect(outcome.exitCode == 9 && outcome.text == "got\n", "\(outcome)")
        #expect(try tokenFiles(world).isEmpty)
    }

    @Test func signalsAtOnceAllReachTheCommand() throws {
        let world = try SignedIn().world
        let signals = [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2]
        let traps = signals.map { "trap 'touch got-\($0)' \($0); " }.joined()
        let script =
            "cd '\(world.scratch.path(""))'; \(traps)echo ready >&2; "
            + "while :; do \(signals.map { "[ -e got-\($0) ] && " }.joined())exit 9; sleep 0.02; done"
        let run = try world.start("mojoauth-credential", Self.own + ["--env", "T", "--", "sh", "-c", script])
        _ = try run.waitForErrors { $0.contains("ready") ? true : nil }
        for signal in signals { run.child.signal(signal) }
        #expect(try run.finish(within: 20).exitCode == 9)
    }

    @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)])
    func fileIsGoneWhenASignalEndsTheCommand(_ signal: Int32, _ exitCode: Int32) throws {
        let world = try SignedIn().world
        let run = try world.start(
            "mojoauth-credential", Self.own + ["--file", "T", "--", "sh", "-c", "echo ready >&2; exec sleep 60"])
        _ = try run.waitForErrors { $0.contains("ready") ? true : nil }
        run.child.signal(signal)
        #expect(try run.finish(within: 20).exitCode == exitCode)
        #expect(try tokenFiles(world).isEmpty)
    }

    /// A process that is killed removes nothing; the next one does, and takes no file that is in use.
    @Test func fileOfAKilledProcessGoesWithTheNext() throws {
        let world = try SignedIn().world
        func start() throws -> Execution {
            let script = "echo $$ >&2; exec sleep 60"
            let run = try world.start("mojoauth-credential", Self.own + ["--file", "T", "--", "sh", "-c", script])
            _ = try run.waitForErrors { $0.contains("\n") ? true : nil }
            return run
        }
        let killed = try start()
        let living = try start()
        #expect(try tokenFiles(world).count == 2)
        killed.child.signal(SIGKILL)
        #expect(try killed.finish(within: 20).exitCode == 137)
        // Its command has lost its parent, and would sleep on.
        let orphan = try #require(pid_t(killed.errorsSoFar.prefix { $0 != "\n" }))
        kill(orphan, SIGKILL)
        #expect(try tokenFiles(world).count == 2)
        #expect(try shell(world, ["--file", "T"], "true").exitCode == 0)
        #expect(try tokenFiles(world).count == 1)
        living.child.signal(SIGTERM)
        #expect(try living.finish(within: 20).exitCode == 143)
        #expect(try tokenFiles(world).isEmpty)
    }

    /// At a terminal the kernel itself tells both; the command must not hear of it twice.
    @Test(arguments: ways) func interruptAtTheTerminalComesOnce(_ way: String) throws {
        let world = try SignedIn().world
        let terminal = try PseudoTerminal()
        let script = "trap 'echo got' INT; echo ready; read line; echo \"read $line\"; exit 5"
        try terminal.start(
            world, "mojoauth-credential", Self.own + [way, "T", "--", "bash", "-c", script])
        try terminal.wait(for: "ready")
        terminal.type("\u{3}")
        try terminal.wait(for: "got")
        terminal.type("on\n")
        try terminal.wait(for: "read on")
        #expect(try terminal.finish() == 5)
        #expect(terminal.text.components(separatedBy: "got").count == 2, "\(terminal.text)")
        #expect(try tokenFiles(world).isEmpty)
    }

    // MARK: What it inherits

    @Test(arguments: ways) func ignoredSignalsLimitsAndMaskAreTheCallers(_ way: String) throws {
        let world = try SignedIn().world
        let inner = "ulimit -c; grep -e SigIgn -e SigBlk /proc/self/status; kill -HUP $$; echo alive"
        func answer(_ prefix: String) throws -> String {
            let outcome = try world.run(
                "sh", ["-c", "ulimit -S -c 100; trap '' HUP USR2; \(prefix) sh -c '\(inner)'"])
            #expect(outcome.exitCode == 0, "\(outcome)")
            // Signals 32 and 33 are glibc's own, and its posix_spawn lets a child ignore them.
            return outcome.text.replacing(/\t([0-9a-f]{16})/) { match in
                "\t" + String((UInt64(match.1, radix: 16) ?? 0) & ~0x1_8000_0000, radix: 16)
            }
        }
        let bare = try answer("")
        #expect(bare.hasPrefix("100\n") && bare.hasSuffix("alive\n"))
        #expect(try answer("mojoauth-credential run --host \(SignedIn.host) \(way) T --") == bare)
    }

    @Test(arguments: ways) func descriptorsAreTheCallersAndTheTokens(_ way: String) throws {
        let world = try SignedIn().world
        func list(_ prefix: String) throws -> [String] {
            let outcome = try world.run("sh", ["-c", "exec 7</dev/null; \(prefix) ls -l /proc/self/fd"])
            #expect(outcome.exitCode == 0, "\(outcome)")
            return outcome.text.matches(of: /(\d+) -> (\S+)/).map { "\($0.1) \($0.2)" }
                .filter { !$0.contains("/proc/") && !$0.contains("/exec/") }.sorted()
        }
        let expected = try list("")
        #expect(expected == ["7 /dev/null"])
        let found = try list("mojoauth-credential run --host \(SignedIn.host) \(way) T --")
        #expect(found == (way == "--descriptor" ? ["10 /memfd:token"] : []) + expected)
    }

    @Test(arguments: ways) func wordsAreTheCommandsToTheByte(_ way: String) throws {
        let world = try SignedIn().world
        let outcome = try world.run(
            "bash",
            [
                "-c",
                "mojoauth-credential run --host \(SignedIn.host) \(way) T -- printf '%s|' $'a\\xffb' '' -- --host -h '*'",
            ])
        #expect(outcome.output == Array("a".utf8) + [0xFF] + Array("b||--|--host|-h|*|".utf8), "\(outcome)")
    }

    // MARK: Refusals

    struct Bad: Sendable, CustomTestStringConvertible {
        let words: [String]
        let exitCode: Int32
        let says: String
        var testDescription: String { words.joined(separator: " ") }

        init(_ words: [String], _ exitCode: Int32, _ says: String) {
            (self.words, self.exitCode, self.says) = (words, exitCode, says)
        }
    }

    private static let host = ["--host", SignedIn.host]

    /// Each is followed by `-- touch MARK`, unless it has a `--` of its own.
    private static let bad: [Bad] = [
        Bad([], 64, "whose token?"), Bad(["--host", ""], 64, "whose token?"), Bad(["--host"], 64, "--host"),
        Bad(["--host", "git.example.com"], 64, "whose token?"),
        Bad(["--host", "ssh://git.example.com"], 64, "whose token?"),
        Bad(["--host", "https://alice:hunter2@git.example.com"], 64, "whose token?"),
        Bad(host + host, 64, "one URL"), Bad(["--host", "https://other.example.com"], 78, "gets no token"),
        Bad(["--host", "http://git.example.com"], 78, "gets no token"),
        Bad(["--host", "https://git.example.com:8443"], 78, "gets no token"),
        Bad(["--host", "https://git.example.com."], 78, "gets no token"),
        Bad(["--host", "https://evil-git.example.com"], 78, "configure host https://evil-git.example.com"),
        Bad(host + ["--env", ""], 64, "--env: a variable's name"),
        Bad(host + ["--env", "1A"], 64, "no digit in front"),
        Bad(host + ["--env", "A=B"], 64, "--env:"), Bad(host + ["--env", "A B"], 64, "--env:"),
        Bad(host + ["--file", "A-B"], 64, "--file:"), Bad(host + ["--descriptor", "\u{e4}"], 64, "--descriptor:"),
        Bad(host + ["--env", "PATH"], 64, "PATH has a meaning of its own"),
        Bad(host + ["--env", "LD_PRELOAD"], 64, "LD_PRELOAD has"), Bad(host + ["--file", "HOME"], 64, "HOME has"),
        Bad(host + ["--descriptor", "BASH_ENV"], 64, "BASH_ENV has"), Bad(host + ["--env"], 64, "--env"),
        Bad(host + ["--env", "A", "--env", "B"], 64, "and once"),
        Bad(host + ["--env", "A", "--file", "B"], 64, "one of --env, --file and --descriptor"),
        Bad(host + ["--file", "A", "--descriptor", "B"], 64, "one of --env"),
        Bad(host + ["--descriptor", "A", "--descriptor", "A"], 64, "and once"),
        Bad(host + ["touch"], 64, "stands behind --"), Bad(host + ["--no-such"], 64, "--no-such"),
        Bad(host + ["--profile", "default"], 64, "--profile"), Bad(host + ["--json"], 64, "--json"),
        Bad(host + ["--"], 64, "run which command?"), Bad(host + ["--", ""], 64, "has no name"),
    ]

    @Test func refuses() throws {
        let signedIn = try SignedIn()
        let (token, before) = (try signedIn.token(), try signedIn.state())
        let mark = signedIn.world.scratch.path("mark")
        for row in Self.bad {
            let tail = row.words.contains("--") ? [] : ["--", "touch", mark]
            let outcome = try signedIn.world.run("mojoauth-credential", ["run"] + row.words + tail)
            #expect(outcome.exitCode == row.exitCode && outcome.output.isEmpty, "\(row.words): \(outcome)")
            #expect(outcome.errors.contains(row.says), "\(row.words): \(outcome)")
            #expect(outcome.errors.split(separator: "\n").count == 2, "\(row.words): \(outcome)")
            for secret in [token, "hunter2"] { #expect(!outcome.errors.contains(secret), "\(row.words): \(outcome)") }
            #expect(!FileManager.default.fileExists(atPath: mark), "\(row.words)")
        }
        #expect(try signedIn.state() == before && tokenFiles(signedIn.world).isEmpty)
        // Without the separator all words are ours.
        let bare = try signedIn.world.run("mojoauth-credential", Self.own + ["touch", mark])
        #expect(bare.exitCode == 64 && bare.errors.contains("behind --"), "\(bare)")
    }

    @Test func noPrivateFolderForTheFile() throws {
        let world = try SignedIn().world
        try world.scratch.folder("open", mode: 0o755)
        try world.scratch.write("", to: "plain")
        let mark = world.scratch.path("mark")
        for (folder, says) in [
            (nil, "is not set to a folder"), ("run", "is not set to a folder"),
            (world.scratch.path("none"), "No such file"), (world.scratch.path("open"), "is open to others"),
            (world.scratch.path("plain"), "is no folder"),
        ] as [(String?, String)] {
            let outcome = try world.run(
                "mojoauth-credential", Self.own + ["--file", "T", "--", "touch", mark],
                environment: ["XDG_RUNTIME_DIR": folder])
            #expect(outcome.exitCode == 78 && outcome.errors.contains(says), "\(outcome)")
            #expect(outcome.errors.contains("hint: use --descriptor"), "\(outcome)")
        }
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test(arguments: ways) func noCommandWithoutALogin(_ way: String) throws {
        let world = try World()
        try world.configure(issuer: "http://127.0.0.1:9", clientID: "cli", hosts: [SignedIn.host: [:]])
        let mark = world.scratch.path("mark")
        let outcome = try world.run("mojoauth-credential", Self.own + [way, "T", "--", "touch", mark])
        #expect(outcome.exitCode == 77 && outcome.errors.contains("mojoauth-credential login"), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    /// A stale token is renewed first, inside this very process.
    @Test(arguments: ways) func staleTokenIsRenewedFirst(_ way: String) throws {
        let signedIn = try SignedIn()
        let refused = try signedIn.token()
        let erase = try signedIn.world.gitCredential("erase", SignedIn.host, ["password": refused])
        #expect(erase.exitCode == 0, "\(erase)")
        let read = way == "--env" ? "printf %s \"$T\"" : "cat \"$T\""
        let outcome = try shell(signedIn.world, [way, "T"], read)
        #expect(outcome.exitCode == 0 && outcome.text != refused, "\(outcome)")
        #expect(try signedIn.state().contains(outcome.text) && signedIn.sandbox.refreshes() == 1)
    }

    @Test func helpIsOursAndTheCommandsOwnIsNot() throws {
        let world = try SignedIn().world
        let ours = try world.run("mojoauth-credential", ["run", "--help"])
        #expect(ours.exitCode == 0 && ours.text.contains("--descriptor=NAME"), "\(ours)")
        let theirs = try world.run("mojoauth-credential", Self.own + ["--", "sh", "-c", "echo \"$0\"", "--help"])
        #expect(theirs.text == "--help\n", "\(theirs)")
    }
}
