/// The token alone, or behind `Bearer`, as pnpm's `tokenHelper` sends it.
extension HelperRow {
    private static func plain(
        _ name: String, _ arguments: [String], state: State = .signedIn, output: String = "", errors: [String] = []
    ) -> HelperRow {
        HelperRow(
            name: "token: \(name)", words: ["mojoauth-helper", "token"] + arguments, state: state,
            exitCode: errors.isEmpty ? 0 : 1, output: output, errors: errors)
    }

    private static let usage = "usage: mojoauth-helper token [--bearer] HOST|URL\n"

    static let tokenRows: [HelperRow] =
        [
            plain("our host", ["tool.example.com"], output: "<TOKEN>\n"),
            plain("our host with its port", ["TOOL.example.com:443"], output: "<TOKEN>\n"),
            plain("our URL", ["https://tool.example.com/npm/"], output: "<TOKEN>\n"),
            plain("loopback, as its entry says it", ["http://127.0.0.1:3999/"], output: "<TOKEN>\n"),
            plain(
                "loopback, without the scheme", ["127.0.0.1:3999"],
                errors: ["no host entry names https://127.0.0.1:3999"]),
            plain("pnpm's header", ["--bearer", "tool.example.com"], output: "Bearer <TOKEN>\n"),
            plain(
                "pnpm's header, for a URL", ["--bearer", "https://tool.example.com/npm/"], output: "Bearer <TOKEN>\n"),
            plain(
                "pnpm's header, a foreign host", ["--bearer", "evil.example"],
                errors: ["no host entry names https://evil.example"]),
            plain("the word alone", ["--bearer"], errors: [usage]),
            plain("the word behind", ["tool.example.com", "--bearer"], errors: [usage]),
            plain("no argument", [], errors: [usage]),
            plain("two hosts", ["tool.example.com", "tool.example.com"], errors: [usage]),
            plain("a host with a path", ["tool.example.com/npm/"], errors: ["names no web server"]),
            plain("pnpm's own spelling", ["//tool.example.com/"], errors: ["names no web server"]),
            plain("a host with a user", ["oauth2@tool.example.com"], errors: ["names no web server"]),
            plain(
                "no login", ["tool.example.com"], state: .signedOut,
                errors: ["mojoauth-helper: error: not logged in", "hint: run 'mojoauth-credential login'"]),
            plain(
                "a locked keyring", ["tool.example.com"], state: .lockedKeyring,
                errors: ["the keyring is locked", "unlock"]),
            plain("no issuer", ["tool.example.com"], state: .staleWithoutIssuer, errors: ["cannot reach", issuer]),
        ]
        + strangers.map { plain($0.name, [$0.url], errors: [noEntry($0.url.contains("://") ? $0.server : nil)]) }
}
