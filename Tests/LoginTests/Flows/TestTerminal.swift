import Foundation
import Login

/// A terminal of the test's own: it is nobody's controlling terminal, and has the usual modes.
final class TestTerminal {
    /// The person's side.
    private let keyboard: CInt
    let path: String

    init() throws {
        keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN, which ptsname(3) and its kin stand for; the headers hide both from Swift.
        var (lock, number): (CInt, CInt) = (0, 0)
        guard keyboard >= 0, ioctl(keyboard, 0x4004_5431, &lock) == 0, ioctl(keyboard, 0x8004_5430, &number) == 0
        else { throw TestFailure("no pseudo terminal") }
        path = "/dev/pts/\(number)"
    }

    deinit {
        close(keyboard)
    }

    /// The program's side, as it opens its own terminal.
    func lines() throws -> TerminalLines {
        let descriptor = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw TestFailure("the terminal cannot be opened") }
        return TerminalLines(adopting: descriptor)
    }

    func type(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(keyboard, $0.baseAddress, min($0.count, 512)) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// What the terminal echoed so far.
    func echo() -> String {
        var chunk = [UInt8](repeating: 0, count: 65536)
        var watched = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, 1000) == 1 else { return "" }
        return String(decoding: chunk.prefix(max(read(keyboard, &chunk, chunk.count), 0)), as: UTF8.self)
    }

    /// The modes that a program could have changed.
    var modes: [UInt32] {
        var modes = termios()
        tcgetattr(keyboard, &modes)
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    }
}
