import Options
import Program
import WebAddress

enum UnconfigureGitCommand: Command {
    struct Values: GitScopeOption {
        var scope: String?
    }

    static let name = "git"
    static let summary = "Let git take no token for a host any more"
    static let defaults = Values()
    static var wordKind: WordKind { .origin }

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential unconfigure git", parameters: "URL", summary: summary,
            description: """
                Takes out of git's configuration what 'configure git' wrote there, and the host entry out of the
                configuration file unless docker's config.json, another file of git's, or a tool that asks for every
                host still needs it.

                Example:
                  mojoauth-credential unconfigure git https://git.example.com
                """,
            rows: [
                .scope("system", "Git's system configuration"),
                .scope("global", "The user's git configuration (default)"),
                .scope("local", "The configuration of the repository here"),
            ])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.count == 1, let url = WebURL(words[0]), url.userInfo == nil else {
            throw Complaint(
                "git's host must be one URL such as https://git.example.com",
                hint: "see 'mojoauth-credential unconfigure git --help'", exitCode: .usage)
        }
        let origin = url.origin
        let desk = try Desk()
        let lines = try GitHostSettings(file: GitConfiguration(scope: values.gitScope), origin: origin).remove()
        let report = try ConfiguredHost.release([origin], done: lines, desk: desk) { origin throws(Complaint) in
            if let mention = try GitConfiguration.mention(of: origin, everyHost: false) { return mention }
            if let mention = try DockerConfigurationFile.user().mention(of: origin.authority) { return mention }
            return ConfigurableTools.mention(of: origin)
        }
        return UnconfigureCommand.report(report, about: origin.description)
    }
}
