import Testing

/// A call of a helper as no tool, or not every tool, makes it: what it is called with, in which state of the login, and
/// what it answers, byte for byte on standard output and by its words on standard error.
struct HelperRow: Sendable, CustomTestStringConvertible {
    enum State: CaseIterable, Sendable {
        case signedIn
        case signedOut
        case lockedKeyring
        /// The token must be renewed, and nobody answers at the issuer's address.
        case staleWithoutIssuer
    }

    /// The host of a configured entry.
    static let host = "tool.example.com"
    /// In an output: the token, and when it expires.
    static let token = "<TOKEN>"
    static let expiry = "<EXPIRY>"
    static let expirySeconds = "<SECONDS>"
    /// In an output: the issuer's origin.
    static let issuer = "<ISSUER>"

    var name: String
    /// The program and its arguments.
    var words: [String]
    var input = ""
    var environment: [String: String] = [:]
    var state = State.signedIn
    var exitCode: Int32 = 0
    var output = ""
    /// Each stands in what is written to standard error; without any, nothing is.
    var errors: [String] = []

    var testDescription: String { name }

    /// A table for each protocol.
    static let tables = [
        kubernetesRows, cargoRows, bazelRows, terraformRows, keyringRows, goRows, tokenRows,
    ]

    /// Addresses that look like the configured one, or are none, and the server that each names.
    static let strangers: [(name: String, url: String, server: String?)] = [
        ("a foreign host", "https://evil.example/x", "https://evil.example"),
        ("http", "http://tool.example.com/", "http://tool.example.com"),
        ("another port", "https://tool.example.com:8443/", "https://tool.example.com:8443"),
        ("a host with more before it", "https://eviltool.example.com/", "https://eviltool.example.com"),
        (
            "a host with more behind it", "https://tool.example.com.evil.example/",
            "https://tool.example.com.evil.example"
        ),
        ("the host as a user", "https://tool.example.com@evil.example/", "https://evil.example"),
        ("another user", "https://bob@tool.example.com/", "https://tool.example.com"),
        ("our user with a password", "https://oauth2:pw@tool.example.com/", "https://tool.example.com"),
        ("a dot at the end", "https://tool.example.com./", "https://tool.example.com."),
        ("a letter of another script", "https://t\u{43E}ol.example.com/", "https://xn--tol-sed.example.com"),
        ("a percent escape", "https://tool%2eexample.com/", nil),
        ("a backslash", "https://evil.example\\@tool.example.com/", nil),
        ("the host in a query", "https://evil.example?https://tool.example.com/", "https://evil.example"),
        ("a control character", "https://tool.example.com\u{1}.evil.example/", nil),
        ("another scheme", "ftp://tool.example.com/", nil),
        ("no port behind the colon", "https://tool.example.com:/", nil),
        ("nothing", "", nil),
        ("no host", "https://", nil),
        ("a host of 100,000 letters", "https://" + String(repeating: "a", count: 100_000), nil),
    ]

    /// What a protocol without an answer of its own says of one.
    static func noEntry(_ server: String?) -> String {
        "mojoauth-helper: error: \(server.map { "no host entry names \($0)" } ?? "the request names no web server")\n"
            + "mojoauth-helper: hint: a server gets a token by a [host] entry: see mojoauth-credential.conf(5)\n"
    }

    /// A JSON string.
    static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\u{1}": "\\u0001"
            default: "\(scalar)"
            }
        }
        return "\"\(escaped.joined())\""
    }

    static let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)

    /// What is no object with text in it, and what is said of it.
    static let notObjects: [(name: String, text: String, error: String)] = [
        ("blanks", " ", "empty where JSON was expected"),
        ("a word", "get", "not valid JSON (at byte 3)"),
        ("a string", "\"https://tool.example.com/\"", "JSON, but neither an object nor an array (at byte 27)"),
        ("a list", "[]", "JSON, but not an object"),
        ("half an object", "{", "not valid JSON (at byte 1)"),
        ("two objects", "{}{}", "not valid JSON (at byte 3)"),
        ("a member twice", #"{"uri":"a","uri":"b"}"#, "a JSON object names one member twice (at byte 16)"),
        ("a NUL", #"{"uri":"a\u0000"}"#, "not valid JSON (at byte 16)"),
        ("100 levels", deep, "JSON nested deeper than 64 levels"),
    ]
}
