import JSON

/// The `keyring` command of Python, as pip and uv run it: `keyring get SERVICE USERNAME`, and by `--mode creds` the
/// username as well.
///
/// A service that is a URL is its origin. pip and uv go on to ask for the bare host; that gets nothing, for it would
/// be sent by whatever scheme the index has.
package struct KeyringRequest: CredentialRequest {
    private enum Mode: String {
        case password
        case creds
    }

    private enum Output: String {
        case plain
        case json
    }

    package static let usage = "[--mode password|creds] [--output plain|json] get SERVICE [USERNAME]"

    private let mode: Mode
    private let output: Output
    package let server: AskedServer?

    package static func source(_ arguments: [String]) throws(RequestFault) -> RequestSource { .arguments }

    package init(arguments: [String], input: [UInt8]) throws(RequestFault) {
        var mode = Mode.password
        var output = Output.plain
        var words: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                words.append(word)
                continue
            }
            // `--mode creds` and `--mode=creds`.
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else { throw .usage }
            switch parts[0] {
            case "--mode":
                guard let chosen = Mode(rawValue: value) else { throw .usage }
                mode = chosen
            case "--output":
                guard let chosen = Output(rawValue: value) else { throw .usage }
                output = chosen
            default: throw .usage
            }
        }
        guard words.first == "get", (2...3).contains(words.count) else { throw .usage }
        (self.mode, self.output) = (mode, output)
        var server = AskedServer(url: words[1])
        if words.count == 3, let named = server?.username, named != words[2] { server = nil }
        if words.count == 3 { server?.username = words[2] }
        self.server = server
    }

    package func answer(_ token: ServedToken) throws(RequestFault) -> [UInt8] {
        let password = try token.headerText()
        switch (mode, output) {
        case (.password, .plain): return Array("\(password)\n".utf8)
        case (.creds, .plain): return Array("\(token.username)\n\(password)\n".utf8)
        case (.password, .json):
            return try JSONObject(distinct: [.init(name: "password", value: .string(password))]).line()
        case (.creds, .json):
            return try JSONObject(distinct: [
                .init(name: "username", value: .string(token.username)),
                .init(name: "password", value: .string(password)),
            ]).line()
        }
    }

    package var noToken: NoTokenAnswer { .exitCode }
}
