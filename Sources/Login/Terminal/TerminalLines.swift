import Glibc
import Program

/// The lines that a person types or pastes at the terminal while the loop waits for something else.
///
/// The terminal itself and never standard input, which may be anybody's. Its modes are left as they are: it echoes, and
/// hands out whole lines.
package final class TerminalLines {
    package enum Line: Sendable, Equatable {
        case text(String)
        /// The terminal has dropped the end of it.
        case cut
    }

    private let descriptor: CInt
    private var pending: [UInt8] = []
    private var source: EventSource?

    /// Bytes of a line that a terminal passes on; it drops the rest without a word.
    package static let longest = 4095
    /// Seconds until a process in the background looks again whether it has become the foreground's.
    private static let pause = 0.5

    /// Takes over a descriptor that does not block.
    package init(adopting descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        source?.cancel()
        close(descriptor)
    }

    /// The terminal of this process; nil when it has none or may not use it (gitcredentials(7)).
    package static func ofProcess() -> TerminalLines? {
        let no: Set<String> = ["0", "false", "no", "off"]
        if let value = ProcessEnvironment["GIT_TERMINAL_PROMPT"]?.lowercased(), no.contains(value) { return nil }
        let descriptor = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        return descriptor < 0 ? nil : TerminalLines(adopting: descriptor)
    }

    /// Hands every line that is not blank to `take`, as long as this object lives and the terminal is there.
    package func watch(in loop: EventLoop, _ take: @escaping (Line) -> Void) {
        source = loop.reader(of: descriptor) { [unowned self] in
            guard isInForeground else {
                // Reading would stop this process, and not reading would spin.
                source = loop.timer(after: Self.pause) { [unowned self] in watch(in: loop, take) }
                return false
            }
            return read(take)
        }
    }

    /// A terminal that is not ours has no foreground that we could be behind.
    private var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    /// - Returns: whether there can be more.
    private func read(_ take: (Line) -> Void) -> Bool {
        var chunk = [UInt8](repeating: 0, count: Self.longest + 1)
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
        for byte in chunk.prefix(count) {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                finish(take)
            } else if pending.count < Self.longest {
                pending.append(byte)
            }
        }
        return true
    }

    private func finish(_ take: (Line) -> Void) {
        defer { pending = [] }
        guard pending.count < Self.longest else { return take(.cut) }
        let blank = UInt8(ascii: " ")
        guard pending.contains(where: { $0 > blank }) else { return }
        take(.text(String(decoding: pending, as: UTF8.self)))
    }
}
