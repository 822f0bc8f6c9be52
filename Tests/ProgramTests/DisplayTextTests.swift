import Program
import Testing

/// P7: text from outside before it reaches a terminal.
@Suite struct DisplayTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let shown: String
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ shown: String? = nil) {
            self.name = name
            self.text = text
            self.shown = shown ?? text
        }
    }

    @Test(arguments: [
        Row("empty", ""),
        Row("ASCII", "error: cannot reach https://acme.example (refused)"),
        Row("letters beyond ASCII", "Zürich, Москва, 東京, عربى, ไทย"),
        Row("combining mark", "e\u{301}"),
        Row("emoji", "✔ 🔑"),
        Row("no-break space", "10\u{A0}s"),
        Row("private use", "\u{E000}"),
        Row("replacement character", "\u{FFFD}"),
    ])
    func leaves(_ row: Row) {
        #expect(DisplayText.clean(row.text) == row.shown)
    }

    @Test(arguments: [
        Row("line end", "a\nb", "a\u{FFFD}b"),
        Row("carriage return", "a\rb", "a\u{FFFD}b"),
        Row("both", "a\r\nb", "a\u{FFFD}\u{FFFD}b"),
        Row("tab", "a\tb", "a\u{FFFD}b"),
        Row("NUL", "a\0b", "a\u{FFFD}b"),
        Row("bell", "\u{7}", "\u{FFFD}"),
        Row("backspace", "ab\u{8}", "ab\u{FFFD}"),
        Row("colour", "\u{1B}[31mred", "\u{FFFD}[31mred"),
        Row("window title", "\u{1B}]0;evil\u{7}", "\u{FFFD}]0;evil\u{FFFD}"),
        Row("DEL", "a\u{7F}", "a\u{FFFD}"),
        Row("C1 control", "\u{9B}31m", "\u{FFFD}31m"),
        Row("next line", "a\u{85}b", "a\u{FFFD}b"),
        Row("left-to-right mark", "a\u{200E}b", "a\u{FFFD}b"),
        Row("right-to-left mark", "a\u{200F}b", "a\u{FFFD}b"),
        Row("Arabic letter mark", "a\u{61C}b", "a\u{FFFD}b"),
        Row("right-to-left embedding", "a\u{202B}b", "a\u{FFFD}b"),
        Row("right-to-left override", "exe.\u{202E}gpj", "exe.\u{FFFD}gpj"),
        Row("pop directional formatting", "a\u{202C}", "a\u{FFFD}"),
        Row("right-to-left isolate", "\u{2067}a\u{2069}", "\u{FFFD}a\u{FFFD}"),
        Row("first strong isolate", "\u{2068}a", "\u{FFFD}a"),
        Row("zero-width space", "acme\u{200B}.example", "acme\u{FFFD}.example"),
        Row("zero-width non-joiner", "a\u{200C}b", "a\u{FFFD}b"),
        Row("zero-width joiner", "a\u{200D}b", "a\u{FFFD}b"),
        Row("word joiner", "a\u{2060}b", "a\u{FFFD}b"),
        Row("byte order mark", "\u{FEFF}a", "\u{FFFD}a"),
        Row("soft hyphen", "a\u{AD}b", "a\u{FFFD}b"),
        Row("line separator", "a\u{2028}b", "a\u{FFFD}b"),
        Row("paragraph separator", "a\u{2029}b", "a\u{FFFD}b"),
        Row("tag character", "a\u{E0041}", "a\u{FFFD}"),
        Row("unassigned", "\u{E0FFF}", "\u{FFFD}"),
        Row("no character", "\u{FFFF}", "\u{FFFD}"),
    ])
    func replaces(_ row: Row) {
        #expect(DisplayText.clean(row.text) == row.shown)
    }

    @Test func cutsAtTheLimit() {
        #expect(DisplayText.clean("abcdef", limit: 3) == "abc")
        #expect(DisplayText.clean("abc", limit: 3) == "abc")
        #expect(DisplayText.clean("abc", limit: 0).isEmpty)
        // A pile of combining marks is one Character, and yet not for ever.
        let pile = "a" + String(repeating: "\u{301}", count: 10000)
        #expect(DisplayText.clean(pile).unicodeScalars.count == 2000)
    }

    @Test(arguments: [
        Row("one line", "a", "a"),
        Row("lines stay lines", "a\nb\n", "a\nb\n"),
        Row("empty lines", "\n\n", "\n\n"),
        Row("colour in a line", "a\n\u{1B}[1mb", "a\n\u{FFFD}[1mb"),
        Row("carriage return", "error\rgood\n", "error\u{FFFD}good\n"),
        Row("override in a line", "\u{202E}a\nb", "\u{FFFD}a\nb"),
    ])
    func cleansLines(_ row: Row) {
        #expect(DisplayText.cleanLines(row.text) == row.shown)
    }
}
