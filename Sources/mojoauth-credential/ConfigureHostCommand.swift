import Options
import Program
import WebAddress

/// A host entry and nothing else: for tools that have no setting of their own.
enum ConfigureHostCommand: Command {
    struct Values: ProfileOption {
        var profile: String?
        var allowsInsecure = false
    }

    static let name = "host"
    static let summary = "Let a host get the token"
    static let defaults = Values()
    static let wordKind = WordKind.origin

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential configure host", parameters: "URL", summary: summary,
            description: """
                Adds a host entry to the configuration file. 'configure git' and 'configure docker' do so themselves;
                kubernetes, cargo and the others take hosts that have one.

                Example:
                  mojoauth-credential configure host https://k8s.example.com:6443
                """,
            rows: [
                .profile,
                OptionRow("allow-insecure", help: "Allow http, for a host on loopback alone") { values, _ in
                    values.allowsInsecure = true
                },
            ])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.count == 1, let url = WebURL(words[0]), url.userInfo == nil else {
            throw Complaint(
                "the host must be one URL such as https://k8s.example.com:6443",
                hint: "see 'mojoauth-credential configure host --help'", exitCode: .usage)
        }
        let desk = try Desk()
        try ConfiguredHost.checkScheme(url.origin, allowsInsecure: values.allowsInsecure, desk: desk)
        StandardStream.writeError(
            try ConfiguredHost.ensure(
                url.origin, profile: values.profile, allowsInsecure: values.allowsInsecure, desk: desk))
        return .success
    }
}
