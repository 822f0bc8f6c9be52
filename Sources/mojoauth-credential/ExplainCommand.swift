import HelperCommands
import Keyring
import Options
import Program
import SessionStore
import WebAddress

enum ExplainCommand: Command {
    struct Values: JSONOption {
        var isJSON = false
    }

    static let name = "explain"
    static let summary = "Show why a URL would get a token, or would not"
    static let defaults = Values()
    static var wordKind: WordKind { .origin }

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential explain", parameters: "URL", summary: summary,
            description: """
                Goes through the rules one by one. No token is read, nothing is unlocked and nobody is asked.
                Exit code 77 if only a login is missing, 78 if the configuration stands against it.

                Example:
                  mojoauth-credential explain https://git.example.com/team/project.git
                """, rows: [.json])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.count == 1 else {
            throw Complaint("explain which URL?", hint: "say https://HOST", exitCode: .usage)
        }
        guard let url = WebURL(words[0]) else { throw unusable(words[0]) }
        let desk = try Desk()
        let explanation = Explanation(
            url, configuration: desk.configuration,
            policies: [("git", InteractionPolicy(caller: .git)), ("docker", InteractionPolicy(caller: .docker))]
        ) { (key, kind) throws(KeyringError) in
            // Searching alone unlocks nothing and reads no secret.
            try desk.store.client.search(key.attributes(kind))
        }
        try print(values.isJSON ? try explanation.json() : explanation.text)
        return explanation.verdict.exitCode
    }

    /// The word may hold a password, so it is not said again unless it is a bare host.
    private static func unusable(_ word: String) -> Complaint {
        let host = Origin.split(authority: word).map { host, port in
            host.urlSpelling + (port.map { ":\($0)" } ?? "")
        }
        return Complaint(
            "that is no http(s) URL with a well-formed host: git and docker would ask for no token with it",
            hint: "say https://\(host ?? "HOST")", exitCode: .usage)
    }
}
