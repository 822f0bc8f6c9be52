import Glibc
import Program
import Testing

@Suite(.timeLimit(.minutes(2))) struct ChildProcessTests {
    struct Ending: Sendable, CustomTestStringConvertible {
        let script: String
        let status: Int32
        var testDescription: String { script }
    }

    @Test(arguments: [
        Ending(script: "exit 0", status: 0),
        Ending(script: "exit 1", status: 1),
        Ending(script: "exit 75", status: 75),
        Ending(script: "exit 255", status: 255),
        Ending(script: "kill -KILL $$", status: 137),
        Ending(script: "kill -TERM $$", status: 143),
        Ending(script: "kill -INT $$", status: 130),
        Ending(script: "no-such-command", status: 127),
    ])
    func tellsHowItEnded(_ row: Ending) throws {
        var child = shell(row.script)
        child.errors = .null
        #expect(ChildProcess.wait(for: try child.spawn()) == row.status)
    }

    @Test func somebodyElsesChildIsNotWaitedFor() {
        #expect(ChildProcess.wait(for: getpid()) == 127)
    }

    struct Word: Sendable, CustomTestStringConvertible {
        let status: CInt
        let shown: Int32
        var testDescription: String { "\(status)" }
    }

    @Test(arguments: [
        Word(status: 0, shown: 0), Word(status: 0x0100, shown: 1), Word(status: 0x4D00, shown: 77),
        Word(status: 0xFF00, shown: 255), Word(status: 9, shown: 137), Word(status: 15, shown: 143),
        // With a core file.
        Word(status: 0x86, shown: 134),
    ])
    func decodesTheKernelsWord(_ row: Word) {
        #expect(ChildProcess.decode(status: row.status) == row.shown)
    }

    /// By argv: no shell looks at it.
    @Test func passesArgumentsAsTheyAre() throws {
        let words = ["", " ", "a b", "$HOME", "`id`", "*", "'", "\"", "\\", "-n", "--", "é", "a\nb", ";exit 9"]
        var child = shell(#"printf '<%s>' "$@""#)
        child.arguments += words
        let (status, output) = try child.capture()
        #expect(status == 0)
        #expect(String(decoding: output, as: UTF8.self) == words.map { "<\($0)>" }.joined())
    }

    @Test func zerothArgumentIsFree() throws {
        let child = ChildProcess(path: "/bin/sh", arguments: ["git-credential-mojoauth", "-c", "echo $0"])
        #expect(try child.capture().output == Array("git-credential-mojoauth\n".utf8))
    }

    struct Missing: Sendable, CustomTestStringConvertible {
        let path: String
        let errno: CInt
        var testDescription: String { path.isEmpty ? "(empty)" : path }
    }

    @Test(arguments: [
        Missing(path: "/nonexistent/program", errno: ENOENT),
        Missing(path: "", errno: ENOENT),
        // PATH is not asked.
        Missing(path: "sh", errno: ENOENT),
        Missing(path: "/bin", errno: EACCES),
        Missing(path: "/etc/passwd", errno: EACCES),
        Missing(path: "/etc/passwd/x", errno: ENOTDIR),
    ])
    func cannotStart(_ row: Missing) {
        let child = ChildProcess(path: row.path, arguments: ["x"])
        let failure = #expect(throws: ChildProcess.SpawnFailure.self) { try child.spawn() }
        #expect(failure?.path == row.path && failure?.errno == row.errno)
        let text = "cannot start \(row.path): \(String(cString: strerror(row.errno)))"
        #expect(failure.map { "\($0)" } == text)
        let captured = #expect(throws: ChildProcess.SpawnFailure.self) { try child.capture() }
        #expect(captured == failure)
    }

    @Test func hasASessionOfItsOwn() throws {
        let child = ChildProcess(path: "/usr/bin/cut", arguments: ["cut", "-d ", "-f1,6", "/proc/self/stat"])
        let numbers = String(decoding: try child.capture().output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        #expect(numbers.count == 2 && numbers.first == numbers.last)
    }

    @Test func orStaysInOurs() throws {
        var child = ChildProcess(path: "/usr/bin/cut", arguments: ["cut", "-d ", "-f6", "/proc/self/stat"])
        child.ownSession = false
        #expect(String(decoding: try child.capture().output, as: UTF8.self) == "\(getsid(0))\n")
    }

    @Test func streamsGoNowhere() throws {
        let conduit = try Conduit()
        var child = shell("(exec readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2 >&3); true")
        child.errors = .null
        child.extra = [(child: 3, ours: conduit.writing)]
        let process = try child.spawn()
        let links = try conduit.drain()
        #expect(links == "/dev/null\n/dev/null\n/dev/null\n")
        #expect(ChildProcess.wait(for: process) == 0)
    }

    @Test func streamsGoWhereTheyAreSent() throws {
        let (input, output, errors) = (try Conduit(), try Conduit(), try Conduit())
        var child = shell("cat; echo oops >&2")
        child.input = .descriptor(input.reading)
        child.output = .descriptor(output.writing)
        child.errors = .descriptor(errors.writing)
        let process = try child.spawn()
        close(input.reading)
        try StandardStream.write(Array("hello\n".utf8), descriptor: input.writing)
        close(input.writing)
        #expect(try output.drain() == "hello\n")
        #expect(try errors.drain() == "oops\n")
        #expect(ChildProcess.wait(for: process) == 0)
    }

    /// A full pipe must not stop the child for ever.
    @Test func captureEndsBeyondItsLimit() throws {
        let (status, output) = try shell("exec head -c 3000000 /dev/zero").capture()
        #expect(status == 128 + SIGPIPE)
        #expect(output.isEmpty)
    }

    @Test func captureTakesAMebibyte() throws {
        let (status, output) = try shell("exec head -c 1048576 /dev/zero").capture()
        #expect(status == 0 && output.count == 1 << 20)
    }

    @Test func environmentIsWhatIsGiven() throws {
        var child = ChildProcess(path: "/usr/bin/env", arguments: ["env"])
        child.environment = ["A=1", "B=é x"]
        #expect(String(decoding: try child.capture().output, as: UTF8.self) == "A=1\nB=é x\n")
        child.environment = []
        #expect(try child.capture().output.isEmpty)
    }

    @Test func environmentIsOursOtherwise() async {
        await #expect(processExitsWith: .success) {
            setenv("MOJOAUTH_TEST", "passed on", 1)
            let child = ChildProcess(path: "/bin/sh", arguments: ["sh", "-c", "echo $MOJOAUTH_TEST"])
            let output = try child.capture().output
            #expect(output == Array("passed on\n".utf8))
        }
    }

    /// L16: what a browser must not get.
    @Test func environmentIsFiltered() async {
        await #expect(processExitsWith: .success) {
            for name in ["GIT_DIR", "MOJOAUTH_CONFIG", "LD_PRELOAD", "GITHUB_X", "XGIT_DIR"] {
                setenv(name, "value", 1)
            }
            var child = ChildProcess(path: "/usr/bin/env", arguments: ["env"])
            child.environment = ProcessEnvironment.entries(withoutPrefixes: ["GIT_", "MOJOAUTH_", "LD_"])
            let lines = String(decoding: try child.capture().output, as: UTF8.self).split(separator: "\n")
            for name in ["GIT_", "MOJOAUTH_", "LD_"] { #expect(!lines.contains { $0.hasPrefix(name) }) }
            #expect(lines.contains("GITHUB_X=value") && lines.contains("XGIT_DIR=value"))
            #expect(lines.contains { $0.hasPrefix("PATH=") })
        }
    }

    @Test func environmentVariables() async {
        await #expect(processExitsWith: .success) {
            setenv("MOJOAUTH_SET", "x", 1)
            setenv("MOJOAUTH_EMPTY", "", 1)
            unsetenv("MOJOAUTH_UNSET")
            #expect(ProcessEnvironment["MOJOAUTH_SET"] == "x")
            #expect(ProcessEnvironment["MOJOAUTH_EMPTY"] == nil)
            #expect(ProcessEnvironment["MOJOAUTH_UNSET"] == nil)
            #expect(ProcessEnvironment.entries(withoutPrefixes: []).contains("MOJOAUTH_SET=x"))
        }
    }

    /// P8: neither our ignored SIGPIPE nor what we block.
    @Test func signalsAreAsTheSystemGivesThem() async {
        await #expect(processExitsWith: .success) {
            Hardening.harden()
            signal(SIGHUP, SIG_IGN)
            var blocked = sigset_t()
            sigemptyset(&blocked)
            for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&blocked, number) }
            sigprocmask(SIG_BLOCK, &blocked, nil)
            let child = ChildProcess(
                path: "/bin/grep", arguments: ["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"])
            let words = String(decoding: try child.capture().output, as: UTF8.self).split(
                whereSeparator: \.isWhitespace)
            // glibc sets its own two signals, 32 and 33, to be ignored in every child.
            let masks = words.compactMap { UInt64($0, radix: 16) }.map { $0 & ~0x1_8000_0000 }
            #expect(masks == [0, 0])
        }
    }

    /// The child's numbers and ours may cross: a caller that closed its streams makes our pipes begin at 0.
    @Test func descriptorsMayCross() async {
        await #expect(processExitsWith: .success) {
            let (one, two) = (try Conduit(), try Conduit())
            // Far above what the runner itself has open.
            dup2(one.writing, 201)
            dup2(two.writing, 200)
            var child = ChildProcess(
                path: "/bin/sh",
                arguments: ["sh", "-c", "echo one >/proc/self/fd/200; echo two >/proc/self/fd/201"])
            child.extra = [(child: 200, ours: 201), (child: 201, ours: 200)]
            #expect(ChildProcess.wait(for: try child.spawn()) == 0)
            close(200)
            close(201)
            #expect(try one.drain() == "one\n")
            #expect(try two.drain() == "two\n")
        }
    }

    @Test func aStandardNumberOfOursMayBePassed() async {
        await #expect(processExitsWith: .success) {
            let (state, words) = (try Conduit(), try Conduit())
            // Our stderr was closed, and the pipe got its number.
            dup2(state.writing, 2)
            var child = ChildProcess(path: "/bin/sh", arguments: ["sh", "-c", "echo words >&2; echo state >&3"])
            child.errors = .descriptor(words.writing)
            child.extra = [(child: 3, ours: 2)]
            #expect(ChildProcess.wait(for: try child.spawn()) == 0)
            close(2)
            #expect(try state.drain() == "state\n")
            #expect(try words.drain() == "words\n")
        }
    }

    @Test func othersAreClosed() async {
        await #expect(processExitsWith: .success) {
            let leaked = dup(STDIN_FILENO)
            var child = ChildProcess(path: "/bin/sh", arguments: ["sh", "-c", "test -e /proc/self/fd/\(leaked)"])
            let closed = ChildProcess.wait(for: try child.spawn())
            #expect(closed == 1)
            child.closesOthers = false
            let inherited = ChildProcess.wait(for: try child.spawn())
            #expect(inherited == 0)
        }
    }

    /// Ours are as they were, whether the child starts or not.
    @Test func leaksNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            let conduit = try Conduit()
            var child = ChildProcess(path: "/bin/true", arguments: ["true"])
            child.extra = [(child: 3, ours: conduit.writing)]
            let before = Conduit.openEnds()
            for path in ["/bin/true", "/nonexistent"] {
                child.path = path
                for _ in 0..<5 {
                    if let process = try? child.spawn() { _ = ChildProcess.wait(for: process) }
                    _ = try? child.capture()
                }
            }
            #expect(Conduit.openEnds() == before)
        }
    }

    @Test func knowsItsFolder() throws {
        let folder = try #require(ChildProcess.ownDirectory())
        #expect(folder.hasPrefix("/") && !folder.hasSuffix("/"))
        #expect(access(folder, R_OK) == 0)
    }
}
