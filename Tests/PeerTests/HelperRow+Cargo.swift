/// Cargo's credential provider, whose failures are answers, too.
extension HelperRow {
    private static let program = "cargo-credential-mojoauth"
    private static let hello = "{\"v\":[1]}\n"

    private static func cargo(_ name: String, _ input: String, state: State = .signedIn, _ output: String) -> HelperRow
    {
        HelperRow(
            name: "cargo: \(name)", words: [program, "--cargo-plugin"], input: input + "\n", state: state,
            output: hello + output + "\n")
    }

    private static func request(
        _ kind: String, _ url: String = "sparse+https://tool.example.com/index/", _ more: String = ""
    )
        -> String
    {
        #"{"v":1,"registry":{"index-url":\#(quoted(url)),"name":"x","headers":["WWW-Authenticate: x"]},"kind":"\#(kind)"\#(more),"args":[]}"#
    }

    private static func other(_ message: String, _ hint: String? = nil) -> String {
        #"{"Err":{"kind":"other","message":\#(quoted(message)),"caused-by":[\#(hint.map(quoted) ?? "")]}}"#
    }

    private static let granted =
        #"{"Ok":{"kind":"get","token":"Bearer <TOKEN>","cache":"expires","expiration":<SECONDS>,"operation_independent":true}}"#
    private static let notSupported = #"{"Err":{"kind":"url-not-supported"}}"#
    private static let notUnderstood = "the request is not understood: "
    private static let ours = request("get", "sparse+https://tool.example.com/index/", #","operation":"read""#)
    private static let place = #""registry":{"index-url":"sparse+https://tool.example.com/"}"#

    static let cargoRows: [HelperRow] =
        [
            cargo("our registry", ours, granted),
            cargo("an index in git", request("get", "https://tool.example.com/index.git"), granted),
            cargo(
                "another operation",
                request("get", "sparse+https://tool.example.com/", #","operation":"publish","name":"x""#),
                granted),
            cargo("two requests", ours + "\n" + request("get", "https://evil.example/"), granted + "\n" + notSupported),
            cargo(
                "a failure, then a request", "x\n" + ours,
                other(notUnderstood + "not valid JSON (at byte 1)") + "\n" + granted),
            cargo("login", request("login"), #"{"Ok":{"kind":"login"}}"#),
            cargo(
                "login with our token", request("login", "sparse+https://tool.example.com/", #","token":"<TOKEN>""#),
                #"{"Ok":{"kind":"login"}}"#),
            cargo(
                "login with another token", request("login", "sparse+https://tool.example.com/", #","token":"x""#),
                other(
                    "https://tool.example.com is served by profile \"default\"; no other token is kept for it",
                    "to use another, take the [host host1] entry out of the configuration")),
            cargo(
                "login with a number", request("login", "sparse+https://tool.example.com/", #","token":7"#),
                other(notUnderstood + "token is not a string")),
            cargo(
                "logout", request("logout"),
                other(
                    "the login of profile \"default\" serves other hosts and tools beside https://tool.example.com",
                    "run 'mojoauth-credential logout' to end it")),
            cargo("an unknown kind", request("rotate"), #"{"Err":{"kind":"operation-not-supported"}}"#),
            cargo("no kind", "{\"v\":1,\(place)}", other(notUnderstood + "kind is missing")),
            cargo(
                "version 2", "{\"v\":2,\(place),\"kind\":\"get\"}",
                other(notUnderstood + "version 2 of the protocol is not known")),
            cargo("no version", "{\(place),\"kind\":\"get\"}", other(notUnderstood + "v is not a number")),
            cargo("no registry", #"{"v":1,"kind":"get"}"#, other(notUnderstood + "registry is not an object")),
            cargo("no index", #"{"v":1,"registry":{},"kind":"get"}"#, other(notUnderstood + "index-url is missing")),
            cargo(
                "v is a string", "{\"v\":\"1\",\(place),\"kind\":\"get\"}", other(notUnderstood + "v is not a number")),
            cargo(
                "v is a fraction", "{\"v\":1.0,\(place),\"kind\":\"get\"}", other(notUnderstood + "v is not a number")),
            cargo(
                "a registry that is a list", #"{"v":1,"registry":[],"kind":"get"}"#,
                other(notUnderstood + "registry is not an object")),
            cargo(
                "a registry that is a string", #"{"v":1,"registry":"https://tool.example.com/","kind":"get"}"#,
                other(notUnderstood + "registry is not an object")),
            cargo(
                "an index that is a number", #"{"v":1,"registry":{"index-url":7},"kind":"get"}"#,
                other(notUnderstood + "index-url is not a string")),
            cargo(
                "an index that is null", #"{"v":1,"registry":{"index-url":null},"kind":"get"}"#,
                other(notUnderstood + "index-url is not a string")),
            cargo(
                "a kind that is a number", "{\"v\":1,\(place),\"kind\":7}",
                other(notUnderstood + "kind is not a string")),
            cargo("unknown members", "{\"x\":{\"y\":[1]},\"v\":1,\(place),\"kind\":\"get\"}", granted),
            cargo(
                "a member twice, inside", #"{"v":1,"registry":{"index-url":"a","index-url":"b"},"kind":"get"}"#,
                other(notUnderstood + "a JSON object names one member twice (at byte 46)")),
            cargo(
                "a NUL, inside", #"{"v":1,"registry":{"index-url":"a\u0000"},"kind":"get"}"#,
                other(notUnderstood + "not valid JSON (at byte 40)")),
            cargo(
                "100 levels, inside", "{\"v\":1,\"x\":\(deep)}",
                other(notUnderstood + "JSON nested deeper than 64 levels")),
            cargo("an empty line", "", other(notUnderstood + "empty where JSON was expected")),
            HelperRow(
                name: "cargo: two megabytes", words: [program, "--cargo-plugin"],
                input: String(repeating: "x", count: 2 << 20), exitCode: 1,
                output: hello + other("cannot read the request: larger than the limit") + "\n"),
            HelperRow(name: "cargo: no request", words: [program, "--cargo-plugin"], output: hello),
            HelperRow(
                name: "cargo: no LF", words: [program, "--cargo-plugin"], input: ours, output: hello + granted + "\n"),
            HelperRow(
                name: "cargo: no argument", words: [program], input: ours, exitCode: 1,
                errors: ["usage: \(program) --cargo-plugin\n"]),
            HelperRow(
                name: "cargo: by hand", words: ["mojoauth-helper", "cargo", "--cargo-plugin"], input: ours,
                output: hello + granted + "\n"),
            cargo(
                "no login", ours, state: .signedOut,
                other(
                    "not logged in (profile \"default\")",
                    "run 'mojoauth-credential login'")),
            cargo(
                "no issuer", ours, state: .staleWithoutIssuer,
                other("cannot reach \(issuer): connection refused", "check the network and try again")),
            cargo(
                "a locked keyring", ours, state: .lockedKeyring,
                other(
                    "the keyring is locked, and its prompt was dismissed or could not be shown",
                    "unlock the keyring with 'mojoauth-credential unlock' or in the desktop's password manager, and try again"
                )),
        ]
        + notObjects.map { cargo($0.name, $0.text, other(notUnderstood + $0.error)) }
        + strangers.map { cargo($0.name, request("get", "sparse+" + $0.url), notSupported) }
}
