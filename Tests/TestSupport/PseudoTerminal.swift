import Foundation
import Program

/// A terminal of the test's own, with a person at its keyboard and a program for which it is the controlling terminal.
package final class PseudoTerminal {
    /// The person's side.
    private let keyboard: CInt
    /// The program's side, kept open so that nothing that was shown is lost with the program.
    private let screen: CInt
    private var shown: [UInt8] = []
    private var child: Child?
    private var world: World?

    package init(columns: UInt16 = 80, rows: UInt16 = 50) throws {
        keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN, which ptsname(3) and its kin stand for; the headers hide both from Swift.
        var (lock, number): (CInt, CInt) = (0, 0)
        guard keyboard >= 0, ioctl(keyboard, 0x4004_5431, &lock) == 0, ioctl(keyboard, 0x8004_5430, &number) == 0
        else { throw MissingPart(description: "no pseudo terminal") }
        screen = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard screen >= 0 else { throw MissingPart(description: "/dev/pts/\(number) cannot be opened") }
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
    }

    deinit {
        child?.stop()
        close(screen)
        close(keyboard)
    }

    /// Starts a program at this terminal, with it as all its standard streams.
    package func start(
        _ world: World, _ program: String, _ arguments: [String] = [], environment changes: [String: String?] = [:]
    ) throws {
        // setsid(1) makes the terminal that it is given the controlling one.
        var process = ChildProcess(
            path: try Tool.setsid.path(), arguments: ["setsid", "--ctty", "--wait", program] + arguments)
        let environment = world.environment.merging(["TERM": "xterm"]) { $1 }.changed(by: changes)
        process.environment = environment.map { "\($0.key)=\($0.value)" }
        process.input = .descriptor(screen)
        process.output = .descriptor(screen)
        process.errors = .descriptor(screen)
        child = try Child(process)
        self.world = world
    }

    /// setsid, of which the program is a child.
    package var process: pid_t? { child?.pid }

    /// Types; `\u{3}` is Ctrl-C, `\u{4}` Ctrl-D.
    package func type(_ text: String) {
        var bytes = Array(text.utf8)
        bytes.withUnsafeMutableBytes { _ = write(keyboard, $0.baseAddress, $0.count) }
    }

    /// All that was shown so far, echo included.
    package var text: String {
        while read(within: 0) {}
        return String(decoding: shown, as: UTF8.self)
    }

    /// Does the terminal show what is typed?
    package var echoes: Bool {
        var modes = termios()
        tcgetattr(keyboard, &modes)
        return modes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Waits until what is shown gives an answer.
    ///
    /// - Throws: ``Overdue`` at the limit.
    @discardableResult
    package func wait<Answer>(within seconds: Double = 20, _ find: (String) -> Answer?) throws(Overdue) -> Answer {
        let deadline = Clock.monotonic() + seconds
        while true {
            if let answer = find(text) { return answer }
            let left = deadline - Clock.monotonic()
            guard left > 0 else {
                throw Overdue(description: "the terminal did not show what was waited for, but:\n\(text)")
            }
            _ = read(within: min(left, 0.2))
        }
    }

    package func wait(for words: String, within seconds: Double = 20) throws(Overdue) {
        try wait(within: seconds) { $0.contains(words) ? true : nil }
    }

    /// Waits for the program's end.
    ///
    /// - Returns: its exit status.
    package func finish(within seconds: Double = 30) throws(Overdue) -> Int32 {
        let deadline = Clock.monotonic() + seconds
        // Read meanwhile: a program that writes into a full terminal waits.
        while Clock.monotonic() < deadline {
            if let status = child?.wait(seconds: 0.02) { return status }
            _ = read(within: 0)
        }
        throw Overdue(description: "the program at the terminal still runs; it showed:\n\(text)")
    }

    /// - Returns: whether something came.
    private func read(within seconds: Double) -> Bool {
        var watched = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, CInt(seconds * 1000)) == 1, watched.revents & Int16(POLLIN) != 0 else { return false }
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = Foundation.read(keyboard, &chunk, chunk.count)
        shown += chunk.prefix(max(count, 0))
        return count > 0
    }
}
