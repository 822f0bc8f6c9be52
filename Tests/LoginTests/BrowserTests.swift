import Foundation
import Login
import Testing

@Suite struct BrowserTests {
    private let loop = EventLoop()
    private static let url = "http://127.0.0.1:18437/start/x"

    // MARK: Commands

    @Test(arguments: [
        ("firefox", ["firefox", url]),
        ("firefox %s", ["firefox", url]),
        ("firefox --new-tab %s --private", ["firefox", "--new-tab", url, "--private"]),
        ("sh -c 'x \"$1\"' _ %s", ["sh", "-c", "x \"$1\"", "_", url]),
        ("open --url=%s", ["open", "--url=\(url)"]),
        ("a%%b %s", ["a%%b", url]),
        ("x 100%% %s", ["x", "100%", url]),
        ("x ; rm -rf y", ["x", ";", "rm", "-rf", "y", url]),
        ("x $HOME `id`", ["x", "$HOME", "`id`", url]),
    ])
    func splitsALineWithoutAShell(line: String, arguments: [String]) {
        #expect(BrowserCommand(.environment, line: line, url: Self.url)?.arguments == arguments)
    }

    @Test(arguments: ["", "   ", "'unclosed", "x \"y", "\\"])
    func refusesALineThatIsNone(line: String) {
        #expect(BrowserCommand(.environment, line: line, url: Self.url) == nil)
    }

    @Test(arguments: [
        ("/usr/bin/chromium %U", ["/usr/bin/chromium", url]),
        ("firefox-esr %u", ["firefox-esr", url]),
        ("x --class y %i %c %k -- %u", ["x", "--class", "y", "--", url]),
        ("x --url=%u", ["x", "--url=\(url)"]),
        ("x", ["x", url]),
        ("x 50%%", ["x", "50%", url]),
    ])
    func fillsADesktopEntry(line: String, arguments: [String]) {
        #expect(BrowserCommand(desktopEntry: line, url: Self.url)?.arguments == arguments)
    }

    @Test func ordersItsChoices() {
        let choice = BrowserChoice(environment: "one:two %s --x:", profile: ["three", "%s"], hasDesktop: false)
        #expect(choice.commands(for: "u").map(\.arguments) == [["one", "u"], ["two", "u", "--x"], ["three", "u"]])
        #expect(BrowserChoice(environment: nil, profile: nil, hasDesktop: false).commands(for: "u").isEmpty)
    }

    // MARK: Launching

    private func launch(
        _ commands: [String], atMost seconds: Double = 5, wait: (BrowserLaunch) -> Bool
    ) -> BrowserLaunch {
        let commands = commands.compactMap { BrowserCommand(.environment, line: $0, url: Self.url) }
        let launch = BrowserLaunch(commands, loop: loop)
        loop.wait(atMost: seconds) { wait(launch) }
        return launch
    }

    @Test func startsDetachedWithNothingOfOurs() throws {
        let stub = try StubBrowser()
        defer { stub.remove() }
        let inherited = open(stub.file("marker"), O_RDWR | O_CREAT, 0o600)
        try #require(inherited > STDERR_FILENO)
        defer { close(inherited) }
        setenv("GIT_TEST_CANARY", "1", 1)
        setenv("MOJOAUTH_TEST_CANARY", "1", 1)
        setenv("LD_TEST_CANARY", "1", 1)
        setenv("OTHER_TEST_CANARY", "1", 1)
        defer {
            for name in ["GIT_TEST_CANARY", "MOJOAUTH_TEST_CANARY", "LD_TEST_CANARY", "OTHER_TEST_CANARY"] {
                unsetenv(name)
            }
        }
        let path = try stub.script(
            "browser",
            """
            cd '\(stub.folder.path)'
            ls -l /proc/$$/fd > fds; env > environment; cut -d' ' -f6 /proc/$$/stat > session; echo $$ > process
            grep -E ^SigIgn /proc/$$/status > signals
            printf '%s' "$1" > url.part; mv url.part url
            """)
        _ = launch([path]) { _ in stub.text("url") != nil }
        #expect(stub.text("url") == Self.url)
        let environment = try #require(stub.text("environment"))
        #expect(
            !environment.contains("GIT_TEST") && !environment.contains("MOJOAUTH_TEST")
                && !environment.contains("LD_TEST"))
        #expect(environment.contains("OTHER_TEST_CANARY=1"))
        #expect(stub.text("session") == stub.text("process"))
        // glibc keeps two real-time signals to itself.
        let ignored = stub.text("signals")?.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) }
        #expect(ignored.map { $0 & ~0x1_8000_0000 } == 0)
        let descriptors = try #require(stub.text("fds"))
        for number in [0, 2] { #expect(descriptors.contains(" \(number) -> /dev/null")) }
        #expect(!descriptors.contains("marker"))
    }

    @Test func goesOnToTheNextThatWorks() throws {
        let stub = try StubBrowser()
        defer { stub.remove() }
        let failing = try stub.script("failing", "exit 7")
        let working = try stub.script("working", "printf x > '\(stub.file("done"))'; sleep 3")
        let launch = launch(["no-such-browser-here", failing, working]) { _ in stub.text("done") != nil }
        #expect(!launch.hasFailed)
        #expect(launch.current?.name == "working")
        #expect(launch.failures.map(\.reason) == [.notFound, .exited(7)])
    }

    @Test func tellsThatNoneWorked() throws {
        let stub = try StubBrowser()
        defer { stub.remove() }
        let late = try stub.script("late", "sleep 0.5; exit 3")
        let killed = try stub.script("killed", "kill -9 $$")
        try Data("not a program".utf8).write(to: URL(filePath: stub.file("data")))
        let launch = launch([late, killed, stub.file("data")]) { $0.hasFailed }
        #expect(launch.hasFailed)
        #expect(launch.failures.map(\.reason) == [.exited(3), .exited(137), .notFound])
        #expect("\(launch.failures[0])" == "late ($BROWSER) ended at once with status 3")
    }

    @Test func takesAnEarlySuccessForOne() throws {
        let stub = try StubBrowser()
        defer { stub.remove() }
        let quick = try stub.script("quick", "exit 0")
        let launch = launch([quick], atMost: 0.5) { _ in false }
        #expect(!launch.hasFailed)
        #expect(launch.failures.isEmpty)
    }

    @Test func failsAtOnceWithoutCandidates() {
        #expect(BrowserLaunch([], loop: loop).hasFailed)
    }
}
