import Foundation
import Login
import Testing

@Suite struct TerminalLinesTests {
    private let loop = EventLoop()

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var typed: String
        var lines: [TerminalLines.Line]

        init(_ name: String, _ typed: String, _ lines: [TerminalLines.Line]) {
            (self.name, self.typed, self.lines) = (name, typed, lines)
        }

        var testDescription: String { name }
    }

    private static let rows = [
        Row("a line", "http://x/\n", [.text("http://x/")]),
        Row("two at once", "one\ntwo\n", [.text("one"), .text("two")]),
        Row("Return alone", "\n\n \n\t\n", []),
        Row("carriage return, which a terminal turns into a line end", "one\r", [.text("one")]),
        Row("blanks around", "  one  \n", [.text("  one  ")]),
        Row("corrected by backspace", "onf\u{7F}e\n", [.text("one")]),
        Row("taken back whole", "nonsense\u{15}one\n", [.text("one")]),
        Row("letters beyond ASCII", "é\n", [.text("é")]),
        Row(
            "as long as can be", String(repeating: "x", count: 4094) + "\n",
            [
                .text(String(repeating: "x", count: 4094))
            ]),
        Row(
            "longer than the terminal passes on", String(repeating: "x", count: 6000) + "\nnext\n",
            [
                .cut, .text("next"),
            ]),
    ]

    @Test(arguments: rows)
    func handsOutLines(row: Row) throws {
        let terminal = try TestTerminal()
        let lines = try terminal.lines()
        let modes = terminal.modes
        var found: [TerminalLines.Line] = []
        lines.watch(in: loop) { found.append($0) }
        terminal.type(row.typed)
        terminal.type("end\n")
        loop.wait { found.last == .text("end") }
        #expect(found == row.lines + [.text("end")])
        #expect(terminal.modes == modes)
        #expect(terminal.echo().isEmpty == false)
    }

    @Test func waitsForTheLineToEnd() throws {
        let terminal = try TestTerminal()
        let lines = try terminal.lines()
        var found: [TerminalLines.Line] = []
        lines.watch(in: loop) { found.append($0) }
        terminal.type("half")
        loop.wait(atMost: 0.1) { !found.isEmpty }
        #expect(found.isEmpty)
        terminal.type(" and half\n")
        loop.wait { !found.isEmpty }
        #expect(found == [.text("half and half")])
    }

    @Test func endsWithTheTerminal() throws {
        var ends: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let lines = TerminalLines(adopting: ends[0])
        var found: [TerminalLines.Line] = []
        lines.watch(in: loop) { found.append($0) }
        RawPeer.send(ends[1], "one\nhalf")
        close(ends[1])
        // A source that stayed would spin; the loop would hardly reach its timer, and the processor would be busy.
        let before = Self.threadSeconds()
        loop.wait(atMost: 0.3) { false }
        #expect(found == [.text("one")])
        #expect(Self.threadSeconds() - before < 0.2)
    }

    /// Processor time of this thread alone: the other suites run beside it.
    private static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func endsWithItsObject() throws {
        let terminal = try TestTerminal()
        var lines: TerminalLines? = try terminal.lines()
        var found: [TerminalLines.Line] = []
        lines?.watch(in: loop) { found.append($0) }
        lines = nil
        terminal.type("one\n")
        loop.wait(atMost: 0.1) { !found.isEmpty }
        #expect(found.isEmpty)
    }
}
