/// The `keyring` command, by hand: no link of that name stands in PATH by itself.
extension HelperRow {
    private static func keyring(
        _ name: String, _ arguments: [String], state: State = .signedIn, output: String = "", errors: [String] = []
    ) -> HelperRow {
        HelperRow(
            name: "keyring: \(name)", words: ["mojoauth-helper", "keyring"] + arguments, state: state,
            exitCode: output.isEmpty ? 1 : 0, output: output, errors: errors)
    }

    private static let url = "https://tool.example.com/simple/"
    private static let usage =
        "usage: mojoauth-helper keyring [--mode password|creds] [--output plain|json] get SERVICE [USERNAME]\n"

    static let keyringRows: [HelperRow] =
        [
            keyring("our index", ["get", url, "oauth2"], output: "<TOKEN>\n"),
            keyring(
                "our index with its user", ["get", "https://oauth2@tool.example.com/", "oauth2"], output: "<TOKEN>\n"),
            keyring("no user", ["get", url], output: "<TOKEN>\n"),
            keyring("an empty user", ["get", url, ""], output: "<TOKEN>\n"),
            keyring(
                "as pip asks", ["--mode=creds", "--output=json", "get", url],
                output: #"{"username":"oauth2","password":"<TOKEN>"}"# + "\n"),
            keyring("as uv asks", ["--mode", "creds", "get", url], output: "oauth2\n<TOKEN>\n"),
            keyring(
                "the password as JSON", ["get", url, "oauth2", "--output", "json", "--mode", "password"],
                output: #"{"password":"<TOKEN>"}"# + "\n"),
            // Whoever asks by the host alone may go there by http.
            keyring("the host alone", ["get", "tool.example.com", "oauth2"]),
            keyring("the host with its port", ["get", "tool.example.com:443", "oauth2"]),
            keyring("another username", ["get", url, "bob"]),
            keyring("two users", ["get", "https://bob@tool.example.com/", "oauth2"]),
            keyring("two users, the other way round", ["get", "https://oauth2@tool.example.com/", "bob"]),
            keyring("set", ["set", url, "oauth2"], errors: [usage]),
            keyring("del", ["del", url, "oauth2"], errors: [usage]),
            keyring("no words", [], errors: [usage]),
            keyring("no service", ["get"], errors: [usage]),
            keyring("a word too many", ["get", url, "oauth2", "x"], errors: [usage]),
            keyring("an unknown mode", ["--mode=all", "get", url], errors: [usage]),
            keyring("an unknown output", ["--output", "xml", "get", url], errors: [usage]),
            keyring("an unknown option", ["--keyring-backend=x", "get", url], errors: [usage]),
            keyring("an option without its value", ["get", url, "--mode"], errors: [usage]),
            keyring(
                "no login", ["get", url, "oauth2"], state: .signedOut,
                errors: ["mojoauth-helper: error: not logged in", "hint: run 'mojoauth-credential login'"]),
            keyring(
                "a locked keyring", ["get", url, "oauth2"], state: .lockedKeyring,
                errors: ["the keyring is locked", "unlock"]),
            keyring(
                "no issuer", ["get", url, "oauth2"], state: .staleWithoutIssuer, errors: ["cannot reach", issuer]),
        ] + strangers.map { keyring($0.name, ["get", $0.url, "oauth2"]) }
}
