import Program
import WebAddress

/// One `credential.helper` line of git's, in the order in which git reads them.
struct HelperSetting {
    /// `credential.https://git.example.com.helper`.
    let key: String
    let value: String
    /// `file:/home/alice/.gitconfig`.
    let source: String

    /// `mojoauth`, with or without words behind it, or the helper's program.
    var isOurs: Bool {
        guard let word = value.split(separator: " ").first else { return false }
        return word == "mojoauth" || word.split(separator: "/").last == "git-credential-mojoauth"
    }

    /// `credential.helper`: asked for every host.
    var isForEveryHost: Bool { context.isEmpty }

    /// What stands between `credential` and `helper`: a URL, or a host alone.
    private var context: Substring { key.dropFirst("credential.".count).dropLast("helper".count).dropLast() }

    /// A helper as a person is told of it: a shell command may hold a password, and so may the words behind a name.
    static func name(of value: String) -> String {
        if value.hasPrefix("!") { return "a shell command" }
        return "\"\(DisplayText.clean(String(value.prefix { $0 != " " })))\""
    }

    /// The key without the user information that a URL in it may have.
    var shownKey: String {
        let bytes = key.utf8
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), let scheme = bytes.place(of: "://".utf8) else {
            return key
        }
        return scheme.upperBound <= at ? String(key[..<scheme.upperBound] + key[bytes.index(after: at)...]) : key
    }

    /// Finds the keys, for `git config --get-regexp`.
    static let pattern = #"^credential\.(.*\.)?helper$"#

    /// - Parameter field: key and value with an LF between them, as `git config --null` writes them.
    init?(field: some StringProtocol, source: String = "") {
        let parts = field.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard let key = parts.first, !key.isEmpty else { return nil }
        self.key = String(key)
        value = parts.count == 2 ? String(parts[1]) : ""
        self.source = source
    }

    static func all() -> [HelperSetting] {
        let answer = Patient.run("git", ["config", "--null", "--show-origin", "--get-regexp", pattern])
        // Two fields a line: the source, then key and value.
        let fields = (answer?.output ?? "").split(separator: "\0", omittingEmptySubsequences: false)
        return stride(from: 0, to: fields.count - 1, by: 2).compactMap { index in
            HelperSetting(field: fields[index + 1], source: String(fields[index]))
        }
    }

    /// The helpers that git asks for an origin: an empty value takes back those before it (gitcredentials(7)).
    static func helpers(of origin: Origin, in settings: [HelperSetting]) -> [HelperSetting] {
        settings.filter { $0.applies(to: origin) }.reduce(into: []) { list, setting in
            if setting.value.isEmpty { list = [] } else { list.append(setting) }
        }
    }

    /// Does git ask our helper for an origin?
    static func asksUs(for origin: Origin, in settings: [HelperSetting]) -> Bool {
        helpers(of: origin, in: settings).contains(where: \.isOurs)
    }

    func applies(to origin: Origin) -> Bool {
        if context.isEmpty { return true }
        if let url = WebURL(context) { return url.origin == origin }
        return context == origin.authority
    }
}
