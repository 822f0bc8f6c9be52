/// Go's GOAUTH command.
extension HelperRow {
    private static func goauth(
        _ name: String, _ arguments: [String], _ input: String = "", state: State = .signedIn, output: String = "",
        errors: [String] = []
    ) -> HelperRow {
        HelperRow(
            name: "goauth: \(name)", words: ["mojoauth-helper", "goauth"] + arguments, input: input, state: state,
            exitCode: errors.isEmpty ? 0 : 1, output: output, errors: errors)
    }

    /// For the server as it was spelled.
    private static func granted(_ server: String = "tool.example.com") -> String {
        "https://\(server)\n\nAuthorization: Bearer <TOKEN>\n\n"
    }

    private static let url = "https://tool.example.com/mod/@v/list"

    static let goRows: [HelperRow] =
        [
            goauth("our proxy", [url], "HTTP/1.1 401 Unauthorized\r\n\r\n", output: granted()),
            goauth(
                "in another case, with the port", ["https://TOOL.example.com:443/"],
                output: granted("TOOL.example.com:443")),
            goauth("in another case", ["https://Tool.Example.com/mod"], output: granted("Tool.Example.com")),
            goauth("with the port", ["https://tool.example.com:443/mod"], output: granted("tool.example.com:443")),
            goauth("with a query alone", ["https://tool.example.com?go-get=1"], output: granted()),
            goauth("with our user", ["https://oauth2@tool.example.com/"], output: granted("oauth2@tool.example.com")),
            goauth("the scheme in capitals", ["HTTPS://tool.example.com/"], output: granted()),
            goauth("a refusal that is none", [url], "x", output: granted()),
            goauth("a refusal of two megabytes", [url], String(repeating: "x", count: 2 << 20), output: granted()),
            goauth("the first call", []),
            goauth("the first call, with something to read", [], "HTTP/1.1 401 Unauthorized\r\n\r\n"),
            goauth("two URLs", [url, url], errors: ["usage: mojoauth-helper goauth [URL]\n"]),
            // Go takes https alone, whatever an entry allows.
            goauth("http on loopback, with an entry", ["http://127.0.0.1:3999/mod/@v/list"]),
            goauth("the host alone", ["tool.example.com"]),
            goauth(
                "no login", [url], state: .signedOut,
                errors: ["mojoauth-helper: error: not logged in", "hint: run 'mojoauth-credential login'"]),
            goauth("a locked keyring", [url], state: .lockedKeyring, errors: ["the keyring is locked", "unlock"]),
            goauth("no issuer", [url], state: .staleWithoutIssuer, errors: ["cannot reach", issuer]),
        ] + strangers.map { goauth($0.name, [$0.url]) }
}
