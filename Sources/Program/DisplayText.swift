/// Text from outside made safe for a terminal, a label or a page.
package enum DisplayText {
    /// Replaces control characters and those that reorder or hide text (bidirectional controls, zero-width and
    /// line-separator characters) by U+FFFD, and cuts the text at `limit` characters.
    package static func clean(_ text: String, limit: Int = 2000) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) {
            out.append(isHarmless(scalar) ? scalar : "\u{FFFD}")
        }
        return String(out)
    }

    /// The same for a text of several lines, which stay lines.
    package static func cleanLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { clean(String($0), limit: 8000) }
            .joined(separator: "\n")
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
    }
}
