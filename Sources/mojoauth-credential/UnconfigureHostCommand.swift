import Options
import Program
import WebAddress

enum UnconfigureHostCommand: Command {
    struct Values {}

    static let name = "host"
    static let summary = "Let a host get no token any more"
    static let defaults = Values()
    static var wordKind: WordKind { .origin }

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential unconfigure host", parameters: "URL", summary: summary,
            description: """
                Takes the host entry out of the configuration file, unless git's or docker's configuration names this
                helper for the host. Tools that ask the helper for every host get nothing for it any more.

                Example:
                  mojoauth-credential unconfigure host https://k8s.example.com:6443
                """, rows: [])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.count == 1, let url = WebURL(words[0]), url.userInfo == nil else {
            throw Complaint(
                "the host must be one URL such as https://k8s.example.com:6443",
                hint: "see 'mojoauth-credential unconfigure host --help'", exitCode: .usage)
        }
        let report = try ConfiguredHost.release([url.origin], done: nil, desk: Desk()) { origin throws(Complaint) in
            if let mention = try GitConfiguration.mention(of: origin, everyHost: false) { return mention }
            return try DockerConfigurationFile.user().mention(of: origin.authority, everyHost: false)
        }
        return UnconfigureCommand.report(report, about: url.origin.description)
    }
}
