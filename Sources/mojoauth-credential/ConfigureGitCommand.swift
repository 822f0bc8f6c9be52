import Options
import Program
import WebAddress

enum ConfigureGitCommand: Command {
    struct Values: ProfileOption, GitScopeOption {
        var profile: String?
        var scope: String?
        var allowsInsecure = false
    }

    static let name = "git"
    static let summary = "Let git take the token for a host"
    static let defaults = Values()
    static let wordKind = WordKind.origin

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential configure git", parameters: "URL", summary: summary,
            description: """
                Adds a host entry to the configuration file and, in git's, an empty helper line followed by this helper,
                so that no other helper is asked for the host or stores its token.

                Example:
                  mojoauth-credential configure git https://git.example.com
                """,
            rows: [
                .profile,
                .scope("system", "Git's system configuration"),
                .scope("global", "The user's git configuration (default)"),
                .scope("local", "The configuration of the repository here"),
                OptionRow("allow-insecure", help: "Allow http, for a host on loopback alone") { values, _ in
                    values.allowsInsecure = true
                },
            ])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.count == 1, let url = WebURL(words[0]), url.userInfo == nil else {
            throw Complaint(
                "git's host must be one URL such as https://git.example.com",
                hint: "see 'mojoauth-credential configure git --help'", exitCode: .usage)
        }
        let desk = try Desk()
        try ConfiguredHost.checkScheme(url.origin, allowsInsecure: values.allowsInsecure, desk: desk)
        let settings = GitHostSettings(file: GitConfiguration(scope: values.gitScope), origin: url.origin)
        // A file of git's that cannot be read is noticed before anything is written.
        try settings.check()
        let entry = try ConfiguredHost.ensure(
            url.origin, profile: values.profile, allowsInsecure: values.allowsInsecure, desk: desk)
        // Told at once: what follows may fail, and the entry stands.
        StandardStream.writeError(entry)
        StandardStream.writeError(try settings.write())
        return .success
    }
}
