import Options
import Program
import WebAddress

enum ConfigureDockerCommand: Command {
    struct Values: ProfileOption {
        var profile: String?
        var allowsInsecure = false
    }

    static let name = "docker"
    static let summary = "Let docker, skopeo and podman take the token for a registry"
    static let defaults = Values()
    static let wordKind = WordKind.authority

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential configure docker", parameters: "REGISTRY", summary: summary,
            description: """
                Adds a host entry to the configuration file, and the registry to "credHelpers" of docker's config.json.

                Example:
                  mojoauth-credential configure docker registry.example.com
                """,
            rows: [
                .profile,
                OptionRow("allow-insecure", help: "The registry speaks http, on loopback alone") { values, _ in
                    values.allowsInsecure = true
                },
            ])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        let scheme = values.allowsInsecure ? "http" : "https"
        guard words.count == 1, let origin = Origin(scheme: scheme, authority: words[0]) else {
            throw Complaint(
                "the registry must be one HOST or HOST:PORT, without a scheme",
                hint: "see 'mojoauth-credential configure docker --help'", exitCode: .usage)
        }
        let file = try DockerConfigurationFile.user()
        // A file that cannot be changed is noticed before anything is.
        _ = try file.contents()
        let entry = try ConfiguredHost.ensure(
            origin, profile: values.profile, allowsInsecure: values.allowsInsecure, desk: Desk())
        StandardStream.writeError(entry)
        let name = "credHelpers[\"\(words[0])\"]"
        switch try file.setHelper(for: words[0]) {
        case .none: StandardStream.writeError("\(file.path) has \(name) set already.\n")
        case .added: StandardStream.writeError("Set \(name) to \"mojoauth\" in \(file.path).\n")
        case .replaced(let other):
            StandardStream.writeError(
                "Set \(name) to \"mojoauth\" in \(file.path). It was \"\(DisplayText.clean(other))\".\n")
        }
        return .success
    }
}
