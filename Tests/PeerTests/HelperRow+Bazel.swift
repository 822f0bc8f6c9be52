/// Bazel's credential helper.
extension HelperRow {
    private static let program = "bazel-credential-mojoauth"

    private static func bazel(
        _ name: String, _ input: String, _ arguments: [String] = ["get"], state: State = .signedIn, output: String = "",
        errors: [String] = []
    ) -> HelperRow {
        HelperRow(
            name: "bazel: \(name)", words: [program] + arguments, input: input, state: state,
            exitCode: errors.isEmpty ? 0 : 1, output: output, errors: errors)
    }

    private static let granted = #"{"headers":{"Authorization":["Bearer <TOKEN>"]},"expires":"<EXPIRY>"}"# + "\n"
    private static let notUnderstood = "\(program): error: the request is not understood: "
    private static let ours = #"{"uri":"https://tool.example.com/a/b?c"}"#

    static let bazelRows: [HelperRow] =
        [
            bazel("our host", ours, output: granted),
            bazel("unknown members", #"{"x":[{}],"uri":"https://Tool.Example.com:443"}"# + "\n\n", output: granted),
            bazel("no input", "", errors: [notUnderstood + "empty where JSON was expected"]),
            bazel("no uri", #"{"url":"https://tool.example.com/"}"#, errors: [notUnderstood + "uri is missing"]),
            bazel("a number", #"{"uri":7}"#, errors: [notUnderstood + "uri is not a string"]),
            bazel("null", #"{"uri":null}"#, errors: [notUnderstood + "uri is not a string"]),
            bazel(
                "two megabytes", #"{"x":"\#(String(repeating: "x", count: 2 << 20))"}"#,
                errors: ["\(program): error: cannot read the request: larger than the limit"]),
            bazel("no command", ours, [], errors: ["usage: \(program) get\n"]),
            bazel("another command", ours, ["store"], errors: ["usage: \(program) get\n"]),
            bazel("two commands", ours, ["get", "get"], errors: ["usage: \(program) get\n"]),
            HelperRow(
                name: "bazel: by hand", words: ["mojoauth-helper", "bazel", "get"], input: ours, output: granted),
            bazel(
                "no login", ours, state: .signedOut,
                errors: ["\(program): error: not logged in", "hint: run 'mojoauth-credential login'"]),
            bazel("a locked keyring", ours, state: .lockedKeyring, errors: ["the keyring is locked", "unlock"]),
            bazel("no issuer", ours, state: .staleWithoutIssuer, errors: ["cannot reach", issuer]),
        ]
        + notObjects.map { bazel($0.name, $0.text, errors: [notUnderstood + $0.error + "\n"]) }
        + strangers.map { bazel($0.name, "{\"uri\":\(quoted($0.url))}", output: "{}\n") }
}
