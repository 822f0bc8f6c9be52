/// kubectl's exec plugin.
extension HelperRow {
    private static let program = "mojoauth-helper: error: "
    private static let version = "client.authentication.k8s.io/v1"

    private static func asked(server: String, _ version: String = version, interactive: String = "false") -> String {
        #"{"kind":"ExecCredential","apiVersion":"\#(version)","spec":{"cluster":{"server":\#(server)},"interactive":\#(interactive)}}"#
    }

    private static func kubernetes(
        _ name: String, _ request: String?, state: State = .signedIn, output: String = "", errors: [String] = []
    ) -> HelperRow {
        HelperRow(
            name: "kubernetes: \(name)", words: ["mojoauth-helper", "kubernetes"],
            environment: request.map { ["KUBERNETES_EXEC_INFO": $0] } ?? [:], state: state,
            exitCode: errors.isEmpty ? 0 : 1, output: output,
            errors: errors.isEmpty ? [] : [program + errors[0]] + errors.dropFirst())
    }

    private static func granted(_ version: String) -> String {
        #"{"apiVersion":"\#(version)","kind":"ExecCredential","status":{"token":"<TOKEN>","expirationTimestamp":"<EXPIRY>"}}"#
            + "\n"
    }

    private static let notUnderstood = "the request is not understood: "
    private static let ours = asked(server: #""https://tool.example.com""#)

    static let kubernetesRows: [HelperRow] =
        [
            kubernetes("our server", ours, output: granted(version)),
            kubernetes(
                "the older version", asked(server: #""https://tool.example.com/k8s/""#, version + "beta1"),
                output: granted(version + "beta1")),
            kubernetes(
                "unknown members", #"{"x":{"y":[1]},"# + asked(server: #""https://TOOL.example.com:443""#).dropFirst(),
                output: granted(version)),
            kubernetes(
                "no variable", nil, errors: [notUnderstood + "KUBERNETES_EXEC_INFO is not set", "users[].user"]),
            kubernetes(
                "an older version still", asked(server: #""https://tool.example.com""#, version + "alpha1"),
                errors: [notUnderstood + "apiVersion \"\(version)alpha1\" is not known"]),
            kubernetes("no version", #"{"kind":"ExecCredential"}"#, errors: [notUnderstood + "apiVersion is missing"]),
            kubernetes(
                "a version that is a number", #"{"kind":"ExecCredential","apiVersion":1}"#,
                errors: [notUnderstood + "apiVersion is not a string"]),
            kubernetes(
                "another kind", #"{"kind":"Pod","apiVersion":"\#(version)"}"#,
                errors: [notUnderstood + "kind is not ExecCredential"]),
            kubernetes(
                "no spec", #"{"kind":"ExecCredential","apiVersion":"\#(version)","spec":null}"#,
                errors: [notUnderstood + "spec is not an object"]),
            kubernetes(
                "no cluster", #"{"kind":"ExecCredential","apiVersion":"\#(version)","spec":{"interactive":true}}"#,
                errors: [notUnderstood + "kubectl does not say which cluster it is for", "provideClusterInfo: true"]),
            kubernetes(
                "a server that is a number", asked(server: "7"), errors: [notUnderstood + "server is not a string"]),
            kubernetes(
                "interactive is a word", asked(server: #""https://tool.example.com""#, interactive: #""yes""#),
                errors: [notUnderstood + "spec.interactive is neither true nor false"]),
            HelperRow(
                name: "kubernetes: an argument", words: ["mojoauth-helper", "kubernetes", "https://tool.example.com"],
                environment: ["KUBERNETES_EXEC_INFO": ours], exitCode: 1,
                errors: ["usage: mojoauth-helper kubernetes\n"]),
            kubernetes(
                "no login", ours, state: .signedOut,
                errors: ["not logged in (profile \"default\")", "hint: run 'mojoauth-credential login'"]),
            kubernetes("a locked keyring", ours, state: .lockedKeyring, errors: ["the keyring is locked", "unlock"]),
            kubernetes("no issuer", ours, state: .staleWithoutIssuer, errors: ["cannot reach", issuer]),
        ]
        + notObjects.map { kubernetes($0.name, $0.text, errors: [notUnderstood + $0.error + "\n"]) }
        + strangers.map { stranger in
            HelperRow(
                name: "kubernetes: \(stranger.name)", words: ["mojoauth-helper", "kubernetes"],
                environment: ["KUBERNETES_EXEC_INFO": asked(server: quoted(stranger.url))], exitCode: 1,
                errors: [noEntry(stranger.server)])
        }
}
