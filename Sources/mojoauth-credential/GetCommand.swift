import Configuration
import Glibc
import HelperCommands
import HelperProtocol
import JSON
import OpenIDConnect
import Options
import Program
import Sensitive
import WebAddress

enum GetCommand: Command {
    enum Format: String, CaseIterable {
        case token
        case git
        case json
        case header
    }

    struct Values: ProfileOption {
        var profile: String?
        var format: Format?
    }

    static let name = "get"
    static let summary = "Print the token for a URL, for git's request on stdin, or of a profile"
    static let defaults = Values()
    static let wordKind = WordKind.origin

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential get", parameters: "[URL]", summary: summary,
            description: """
                With a URL: the credential for that host. Without one, and with a request of git's on standard input: git's
                answer. Else the profile's access token.

                Examples:
                  mojoauth-credential get
                  mojoauth-credential get https://api.example.com --format header | curl -H @- https://api.example.com/
                """,
            rows: [
                .profile,
                OptionRow("format", short: "f", value: "FORMAT", help: "token (default), git, json or header") {
                    (values, text) throws(OptionFault) in
                    guard let format = Format(rawValue: text) else {
                        throw OptionFault("\"\(text)\" is none of token, git, json, header")
                    }
                    values.format = format
                }.choosing(Format.allCases.map(\.rawValue)),
            ])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.count <= 1 else {
            throw Complaint("one URL at most", hint: "see 'mojoauth-credential get --help'", exitCode: .usage)
        }
        if let word = words.first { return try printCredential(for: word, values) }
        if values.profile == nil, values.format == nil, let answer = try answerGit() { return answer }
        return try printToken(values)
    }

    /// The host's own credential, as its tool would get it.
    private static func printCredential(for word: String, _ values: Values) throws(Complaint) -> ExitCode {
        guard let url = WebURL(word) else {
            throw Complaint("\"\(word)\" is not an http(s) URL", hint: "say https://HOST", exitCode: .usage)
        }
        guard values.profile == nil else {
            throw Complaint(
                "a URL and --profile contradict each other: the host's entry names its profile",
                hint: "leave one of them out", exitCode: .usage)
        }
        let token = try HostToken.serve(url.origin)
        try show(token, values.format ?? .token)
        return .success
    }

    private static func printToken(_ values: Values) throws(Complaint) -> ExitCode {
        let profile = try Desk().profile(values.profile)
        let context = try HelperContext(caller: .person, renewal: ProcessRenewal())
        let state = try context.tokens.state(
            of: profile, minimumLifetime: profile.minimumLifetime, mayLogIn: { HostToken.noLogin })
        guard let token = state.accessToken else { throw .loginRequired(profile: profile.name) }
        let served = ServedToken(username: "oauth2", secret: token.secret, expiresAt: token.expiresAt)
        try show(served, values.format ?? .token)
        return .success
    }

    /// Answers git when standard input holds a request of its; nil when it is a terminal or ends at once.
    private static func answerGit() throws(Complaint) -> ExitCode? {
        guard isatty(STDIN_FILENO) == 0 else { return nil }
        let request = try GitCommand.readRequest()
        guard request != GitRequest() else { return nil }
        let answer = try GitCommand(request, context: HelperContext(caller: .git, renewal: ProcessRenewal())).perform(
            "get")
        return try finish(answer)
    }

    /// Writes what git shall read, then fails with what a person shall.
    static func finish(_ answer: GitCommand.Answer) throws(Complaint) -> ExitCode {
        try print(answer.output)
        if let complaint = answer.complaint { throw complaint }
        return .success
    }

    private static func show(_ token: ServedToken, _ format: Format) throws(Complaint) {
        let secret = token.secret.text ?? ""
        switch format {
        case .token: try print("\(secret)\n")
        case .header: try print("Authorization: Bearer \(secret)\n")
        case .git:
            let lines = "username=\(token.username)\npassword=\(secret)\npassword_expiry_utc=\(token.expiresAt)\n"
            try print(lines)
        case .json:
            var object = JSONObject()
            object["username"] = .string(token.username)
            object["token"] = .string(secret)
            object["expires_at"] = .integer(token.expiresAt)
            try print(try Report.text(.object(object)))
        }
    }
}
