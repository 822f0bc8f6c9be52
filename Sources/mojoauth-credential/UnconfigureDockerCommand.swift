import Configuration
import HelperCommands
import HelperProtocol
import Options
import Program
import WebAddress

enum UnconfigureDockerCommand: Command {
    struct Values {}

    static let name = "docker"
    static let summary = "Let docker, skopeo and podman take no token for a registry any more"
    static let defaults = Values()
    static var wordKind: WordKind { .authority }

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential unconfigure docker", parameters: "REGISTRY", summary: summary,
            description: """
                Takes the registry out of "credHelpers" of docker's config.json, and its host entry out of the
                configuration file unless git's configuration, or a tool that asks for every host, still needs it.

                Example:
                  mojoauth-credential unconfigure docker registry.example.com
                """, rows: [])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.count == 1, let origins = (try? DockerServer(words[0]))?.origins, !origins.isEmpty else {
            throw Complaint(
                "the registry must be one HOST or HOST:PORT",
                hint: "see 'mojoauth-credential unconfigure docker --help'", exitCode: .usage)
        }
        let desk = try Desk()
        let file = try DockerConfigurationFile.user()
        let lines = try file.removeHelper(for: words[0]).map {
            "Removed credHelpers[\"\($0)\"] from \(file.path).\n"
        }.joined()
        let report = try ConfiguredHost.release(origins, done: lines, desk: desk) { origin throws(Complaint) in
            if let mention = try GitConfiguration.mention(of: origin, everyHost: true) { return mention }
            return ConfigurableTools.mention(of: origin)
        }
        return UnconfigureCommand.report(report, about: words[0])
    }
}
