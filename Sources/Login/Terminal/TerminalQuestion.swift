import CGLib
import Glibc
import Sensitive

/// Asks at the terminal itself, whatever standard input is.
package struct TerminalQuestion {
    package enum Failure: Error, Sendable, Equatable {
        /// This process has no terminal, or may not use it.
        case noTerminal
        /// A signal, or the end of input without an answer.
        case cancelled
        /// Longer than a terminal passes on.
        case tooLong
    }

    /// May what is typed be seen?
    private let isSecret: Bool

    /// - Parameter isSecret: what is typed is not shown.
    package init(isSecret: Bool) {
        self.isSecret = isSecret
    }

    /// - Parameter question: stands before the cursor.
    /// - Returns: what was typed, without its line end; may be empty. The terminal is as it was before.
    package func ask(_ question: String) throws(Failure) -> Secret {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard terminal >= 0 else { throw .noTerminal }
        defer { close(terminal) }
        var modes = termios()
        guard tcgetattr(terminal, &modes) == 0 else { throw .noTerminal }
        let loop = EventLoop()
        // Before the echo goes: from now on a signal ends the question and not the process.
        let signals = loop.watchSignals()
        defer { for signal in signals { signal.cancel() } }
        var asking = modes
        if isSecret { asking.c_lflag &= ~tcflag_t(ECHO) }
        asking.c_lflag |= tcflag_t(ICANON) | tcflag_t(ECHONL) | tcflag_t(ISIG)
        // Quit and suspend would leave the terminal without its echo.
        (asking.c_cc.1, asking.c_cc.10) = (0, 0)
        // What was typed before a password is asked for is not the password; pasted lines are answers in their order.
        let moment = isSecret ? TCSAFLUSH : TCSADRAIN
        guard tcsetattr(terminal, moment, &asking) == 0 else { throw .noTerminal }
        defer { tcsetattr(terminal, moment, &modes) }
        Self.write(question, terminal)

        var answer: Result<Secret, Failure>?
        let reader = loop.reader(of: terminal) {
            answer = Self.read(terminal)
            return answer == nil
        }
        defer { reader.cancel() }
        loop.run { answer != nil || loop.interruption != nil }
        guard let answer, loop.interruption == nil else {
            Self.write("\n", terminal)
            throw .cancelled
        }
        return try answer.get()
    }

    /// - Returns: nil when there is nothing to read after all.
    private static func read(_ terminal: CInt) -> Result<Secret, Failure>? {
        var line = [UInt8](repeating: 0, count: TerminalLines.longest + 1)
        defer { line.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } } }
        let count = Glibc.read(terminal, &line, line.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : .failure(.cancelled) }
        // Ctrl-D hands out what there is.
        guard count > 0 else { return .failure(.cancelled) }
        guard line[count - 1] == UInt8(ascii: "\n") else { return .failure(count > 4000 ? .tooLong : .cancelled) }
        return .success(line.withUnsafeBytes { Secret($0.prefix(count - 1)) })
    }

    private static func write(_ text: String, _ terminal: CInt) {
        var text = Array(text.utf8)
        text.withUnsafeMutableBytes { _ = Glibc.write(terminal, $0.baseAddress, $0.count) }
    }
}
