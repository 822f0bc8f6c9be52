import Foundation
import Testing
import TestSupport

/// What is shown while a person is waited for.
@Suite(.serialized) struct WaitingTests {
    private struct Stage {
        let world: World
        let sandbox: Sandbox
        /// Nobody goes where it is sent, so that the login waits.
        let browser: BrowserStub
    }

    private func stage() throws -> Stage {
        let world = try World()
        let sandbox = try Sandbox(in: world)
        let browser = try world.keep(BrowserStub(in: world))
        try world.configure(sandbox, browser: browser)
        return Stage(world: world, sandbox: sandbox, browser: browser)
    }

    @Test func terminalCountsDownInOneLineAndIsLeftClean() throws {
        let stage = try stage()
        let terminal = try PseudoTerminal()
        try terminal.start(stage.world, "mojoauth-credential", ["login"])
        try terminal.wait(for: "3:00 left, Ctrl-C gives up: waiting for the browser")
        try terminal.wait(for: "2:58 left")
        // One line, drawn over and over.
        #expect(terminal.text.contains("\r\u{1B}[K"))
        #expect(!terminal.text.contains("the browser\u{1B}[0m\r\n") && !terminal.text.contains("the browser\r\n"))
        terminal.type("\u{3}")
        #expect(try terminal.finish() == 130, "\(terminal.text)")
        #expect(terminal.echoes)
        let rest = terminal.text.components(separatedBy: "gives up: ").last ?? ""
        #expect(rest.contains("\r\u{1B}[Kmojoauth-credential: error: login ended by a signal"), "\(terminal.text)")
    }

    @Test func lineGoesWhenTheAnswerComes() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        try world.configure(sandbox)
        let terminal = try PseudoTerminal()
        try terminal.start(world, "mojoauth-credential", ["login"])
        #expect(try terminal.finish() == 0, "\(terminal.text)")
        let rest = terminal.text.components(separatedBy: "gives up: ").last ?? ""
        #expect(rest.contains("\r\u{1B}[Kthe answer has come"), "\(terminal.text)")
        #expect(rest.contains("signed in as alice@example.com"))
    }

    /// Where lines are pasted nothing is drawn over them.
    @Test func pastingIsNotDrawnOver() throws {
        let stage = try stage()
        let terminal = try PseudoTerminal()
        // The variable keeps programs from asking at the terminal.
        try terminal.start(
            stage.world, "mojoauth-credential", ["login", "--no-browser"], environment: ["GIT_TERMINAL_PROMPT": nil])
        try terminal.wait(for: "waiting up to 180 s for the redirect")
        terminal.type("\u{3}")
        #expect(try terminal.finish() == 130, "\(terminal.text)")
        #expect(!terminal.text.contains("\u{1B}[K"))
    }

    @Test(arguments: [[:], ["CLICOLOR_FORCE": "1"]] as [[String: String?]]) func pipeGetsPlainLines(
        _ variables: [String: String?]
    ) throws {
        let stage = try stage()
        let login = try stage.world.start("mojoauth-credential", ["login", "--timeout", "2"], environment: variables)
        let outcome = try login.finish()
        #expect(outcome.exitCode == 75, "\(outcome)")
        #expect(outcome.errors.contains("waiting up to 2 s for the redirect to http://127.0.0.1:"), "\(outcome)")
        #expect(!outcome.errors.contains("\u{1B}") && !outcome.errors.contains("\r"))
    }

    @Test func terminalThatKnowsNoMovesGetsPlainLines() throws {
        let stage = try stage()
        let terminal = try PseudoTerminal()
        try terminal.start(
            stage.world, "mojoauth-credential", ["login", "--timeout", "2"], environment: ["TERM": "dumb"])
        #expect(try terminal.finish() == 75, "\(terminal.text)")
        #expect(terminal.text.contains("waiting up to 2 s") && !terminal.text.contains("\u{1B}"), "\(terminal.text)")
    }

    // MARK: Device flow

    private func deviceScreen(_ columns: UInt16 = 100, _ variables: [String: String?] = [:]) throws -> String {
        let stage = try stage()
        let terminal = try PseudoTerminal(columns: columns)
        try terminal.start(stage.world, "mojoauth-credential", ["login", "--device"], environment: variables)
        try terminal.wait(for: "left, Ctrl-C gives up: ")
        terminal.type("\u{3}")
        #expect(try terminal.finish() == 130, "\(terminal.text)")
        return terminal.text
    }

    @Test func codeIsLargeAndBesideItTheAddress() throws {
        let screen = try deviceScreen()
        let code = try #require(screen.firstMatch(of: /\ {4}\u{1B}\[1m(([A-Z0-9-] )+[A-Z0-9])\u{1B}\[0m/)).1
        let plain = code.split(separator: " ").joined()
        #expect(screen.contains("and compare the code") && screen.contains(plain), "\(screen)")
    }

    /// What a phone reads: the picture is taken from the terminal, not from the program.
    @Test(arguments: [[:], ["NO_COLOR": "1"]] as [[String: String?]]) func pictureCanBeScanned(
        _ variables: [String: String?]
    ) throws {
        let screen = try deviceScreen(100, variables)
        let address = try #require(screen.firstMatch(of: /or open (http\S+) and compare/)).1
        let world = try World(.noBus)
        let file = world.scratch.path("picture.pgm")
        try QRPicture(screen: screen, isInverted: variables["NO_COLOR"] != nil).write(to: file)
        let outcome = try world.run(.zbarimg, ["--quiet", "--raw", file])
        #expect(outcome.text == "\(address)\n", "\(outcome)\n\(screen)")
    }

    private static let poorScreens: [(UInt16, [String: String?])] = [
        (30, ["LANG": "C.UTF-8"]), (100, ["LANG": "C"]), (100, ["LC_ALL": "POSIX"]),
    ]

    @Test(arguments: poorScreens)
    func noPictureWhereItCannotBeShown(_ columns: UInt16, _ variables: [String: String?]) throws {
        let screen = try deviceScreen(columns, variables)
        #expect(!screen.contains("scan this") && !screen.contains("\u{2588}"), "\(screen)")
        #expect(screen.contains("and enter the code"))
    }

    @Test func noColours() throws {
        let screen = try deviceScreen(100, ["NO_COLOR": "1"])
        #expect(screen.firstMatch(of: /\u{1B}\[[0-9;]*m/) == nil, "\(screen)")
    }
}

/// The blocks of a terminal as a picture.
struct QRPicture {
    /// Rows of modules; true is dark.
    private let rows: [[Bool]]
    /// Pixels of a module's side.
    private static let scale = 6

    init(screen: String, isInverted: Bool) throws {
        let text = screen.replacing(/\u{1B}\[[0-9;]*[mK]/, with: "")
        let after = try #require(text.components(separatedBy: "or scan this:\r\n").dropFirst().first)
        let blocks: Set<Character> = ["\u{2588}", "\u{2580}", "\u{2584}", " "]
        let lines = after.components(separatedBy: "\r\n").prefix { !$0.isEmpty && $0.allSatisfy(blocks.contains) }
        rows = lines.flatMap { line -> [[Bool]] in
            let upper = line.map { ($0 == "\u{2588}" || $0 == "\u{2580}") != isInverted }
            let lower = line.map { ($0 == "\u{2588}" || $0 == "\u{2584}") != isInverted }
            return [upper, lower]
        }
    }

    /// As a portable grey map.
    func write(to file: String) throws {
        let width = (rows.first?.count ?? 0) * Self.scale
        var data = Data("P5\n\(width) \(rows.count * Self.scale)\n255\n".utf8)
        for row in rows {
            let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: Self.scale) }
            for _ in 0..<Self.scale { data.append(contentsOf: line) }
        }
        try data.write(to: URL(fileURLWithPath: file))
    }
}
