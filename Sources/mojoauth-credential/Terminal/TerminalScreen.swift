import CGLib
import Glibc
import Program

/// The terminal that standard error is: how wide, in which colours, and whether it can show blocks.
struct TerminalScreen {
    let style: TerminalStyle
    /// A locale of UTF-8.
    let isUTF8: Bool

    /// Nil when standard error is none, or one that can only show line after line.
    init?() {
        guard isatty(STDERR_FILENO) == 1, ProcessEnvironment["TERM"] != "dumb" else { return nil }
        style = .of(descriptor: STDERR_FILENO)
        let locale = ProcessEnvironment["LC_ALL"] ?? ProcessEnvironment["LC_CTYPE"] ?? ProcessEnvironment["LANG"] ?? ""
        let name = locale.lowercased()
        isUTF8 = name.hasSuffix("utf-8") || name.hasSuffix("utf8")
    }

    /// As it is now: a window may be resized.
    var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
