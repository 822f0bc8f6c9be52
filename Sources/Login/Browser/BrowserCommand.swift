import CGLib
import Program

/// One way to open a browser: an argument list, never a line for a shell.
package struct BrowserCommand: Sendable, Equatable {
    /// Where the command comes from, for a person: `$BROWSER`, the profile, the desktop.
    package enum Source: String, Sendable {
        case environment = "$BROWSER"
        case profile = "the profile's browser"
        case desktop = "the desktop's browser"
    }

    package var source: Source
    /// The zeroth is a path or a name to look for in PATH.
    package var arguments: [String]

    /// - Parameters:
    ///   - template: `%s` in an argument stands for the URL and `%%` for a percent sign; without any `%s` the URL comes
    ///     last.
    package init?(_ source: Source, template: [String], url: String) {
        guard let program = template.first, !program.isEmpty else { return nil }
        self.source = source
        let rest = template.dropFirst()
        let filled = rest.map { Self.fill($0, ["s": url, "%": "%"]) }
        arguments = [program] + filled + (rest.contains { $0.contains("%s") } ? [] : [url])
    }

    /// - Parameter line: split as a shell would, without a shell.
    package init?(_ source: Source, line: String, url: String) {
        guard let words = Self.words(line) else { return nil }
        self.init(source, template: words, url: url)
    }

    /// The Exec line of a desktop entry (Desktop Entry Specification, "The Exec key").
    package init?(desktopEntry line: String, url: String) {
        guard let words = Self.words(line), let program = words.first, !program.isEmpty else { return nil }
        source = .desktop
        arguments = [program]
        var isPlaced = false
        for word in words.dropFirst() {
            switch word {
            case "%u", "%U", "%f", "%F":
                arguments.append(url)
                isPlaced = true
            case "%i", "%c", "%k", "%d", "%D", "%n", "%N", "%v", "%m": break
            default:
                isPlaced = isPlaced || word.contains("%u")
                arguments.append(Self.fill(word, ["u": url, "%": "%"]))
            }
        }
        if !isPlaced { arguments.append(url) }
    }

    private static func fill(_ word: String, _ values: [Character: String]) -> String {
        var out = ""
        var rest = word[...]
        while let percent = rest.firstIndex(of: "%") {
            out += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if let code = rest.first, let value = values[code] {
                out += value
                rest = rest.dropFirst()
            } else {
                out += "%"
            }
        }
        return out + rest
    }

    private static func words(_ line: String) -> [String]? {
        var count: gint = 0
        var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        guard g_shell_parse_argv(line, &count, &words, nil) != 0, let words else { return nil }
        defer { g_strfreev(words) }
        return (0..<Int(count)).compactMap { index in words[index].map { String(cString: $0) } }
    }

    /// The program's file; nil when there is none that can be run.
    package var path: String? { ChildProcess.path(of: arguments[0]) }

    /// The program's name without its folder.
    package var name: String {
        arguments[0].split(separator: "/").last.map(String.init) ?? arguments[0]
    }
}
