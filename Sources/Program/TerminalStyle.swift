import Glibc

/// May a stream be coloured? NO_COLOR (no-color.org) wins, then CLICOLOR_FORCE and CLICOLOR (bixense.com/clicolors),
/// then whether it is a terminal that knows colours.
package struct TerminalStyle: Sendable {
    package enum Colour: Int, Sendable {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    package let isColoured: Bool

    /// - Parameters:
    ///   - isTerminal: is the stream one?
    ///   - variable: looks a variable of the environment up; nil when it is unset or empty.
    package init(isTerminal: Bool, variable: (String) -> String? = { ProcessEnvironment[$0] }) {
        if variable("NO_COLOR") != nil {
            isColoured = false
        } else if let force = variable("CLICOLOR_FORCE"), force != "0" {
            isColoured = true
        } else {
            isColoured = isTerminal && variable("CLICOLOR") != "0" && variable("TERM") != "dumb"
        }
    }

    package static func of(descriptor: CInt) -> TerminalStyle {
        TerminalStyle(isTerminal: isatty(descriptor) == 1)
    }

    package func paint(_ text: String, _ colour: Colour) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
