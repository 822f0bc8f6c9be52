/// The credentials helper of Terraform and OpenTofu.
extension HelperRow {
    private static let program = "terraform-credentials-mojoauth"

    private static func terraform(
        _ name: String, _ arguments: [String], _ input: String = "", state: State = .signedIn, output: String = "",
        errors: [String] = []
    ) -> HelperRow {
        HelperRow(
            name: "terraform: \(name)", words: [program] + arguments, input: input, state: state,
            exitCode: errors.isEmpty ? 0 : 1, output: output, errors: errors)
    }

    private static let granted = "{\"token\":\"<TOKEN>\"}\n"
    private static let usage = "usage: \(program) get|store|forget HOST\n"
    private static let notUnderstood = "\(program): error: the request is not understood: "

    /// Hosts alone: what is more is none.
    private static let hosts = [
        "evil.example", "tool.example.com:8443", "eviltool.example.com", "tool.example.com.evil.example",
        "tool.example.com@evil.example", "bob@tool.example.com", "oauth2@tool.example.com", "tool.example.com.",
        "t\u{43E}ol.example.com", "tool%2eexample.com", "tool.example.com/x", "https://tool.example.com",
        "http://tool.example.com", "tool.example.com:", "tool.example.com:http", " tool.example.com", "*", "",
        String(repeating: "a", count: 100_000),
    ]

    static let terraformRows: [HelperRow] =
        [
            terraform("our host", ["get", "tool.example.com"], output: granted),
            terraform("in another case, with the port", ["get", "TOOL.example.com:443"], output: granted),
            terraform("with args of its configuration", ["--x=y", "z", "get", "tool.example.com"], output: granted),
            terraform("get, something to read", ["get", "tool.example.com"], "{", output: granted),
            terraform("our own token", ["store", "tool.example.com"], granted),
            terraform(
                "another token", ["store", "tool.example.com"], #"{"token":"x"}"#,
                errors: [
                    "\(program): error: https://tool.example.com is served by profile \"default\"", "[host host1]",
                ]),
            terraform(
                "a stranger's token", ["store", "evil.example"], #"{"token":"x"}"#,
                errors: ["\(program): error: no host entry names https://evil.example"]),
            terraform("no token", ["store", "tool.example.com"], "{}", errors: [notUnderstood + "token is missing"]),
            terraform(
                "a number", ["store", "tool.example.com"], #"{"token":7}"#,
                errors: [notUnderstood + "token is not a string"]),
            terraform(
                "nothing to store", ["store", "tool.example.com"],
                errors: [notUnderstood + "empty where JSON was expected"]),
            terraform(
                "two megabytes", ["store", "tool.example.com"], String(repeating: "x", count: 2 << 20),
                errors: ["\(program): error: cannot read the request: larger than the limit"]),
            terraform("forget a stranger", ["forget", "evil.example"]),
            terraform(
                "forget ours", ["forget", "tool.example.com"],
                errors: ["serves other hosts and tools beside https://tool.example.com", "mojoauth-credential logout"]),
            terraform("no command", [], errors: [usage]),
            terraform("no host", ["get"], errors: [usage]),
            terraform("another command", ["list", "tool.example.com"], errors: [usage]),
            terraform("words behind", ["get", "tool.example.com", "x"], errors: [usage]),
            HelperRow(
                name: "terraform: by hand", words: ["mojoauth-helper", "terraform", "get", "tool.example.com"],
                output: granted),
            terraform(
                "no login", ["get", "tool.example.com"], state: .signedOut,
                errors: ["\(program): error: not logged in", "hint: run 'mojoauth-credential login'"]),
            terraform(
                "a locked keyring", ["get", "tool.example.com"], state: .lockedKeyring,
                errors: ["the keyring is locked", "unlock"]),
            terraform(
                "no issuer", ["get", "tool.example.com"], state: .staleWithoutIssuer, errors: ["cannot reach", issuer]),
        ]
        + notObjects.map {
            terraform(
                "store \($0.name)", ["store", "tool.example.com"], $0.text, errors: [notUnderstood + $0.error + "\n"])
        }
        + hosts.map { terraform("\($0.prefix(40))", ["get", $0], output: "{}\n") }
}
