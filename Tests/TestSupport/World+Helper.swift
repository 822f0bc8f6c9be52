/// Requests to our helpers, as git and docker make them.
extension World {
    /// A request about an origin such as `https://git.example.com`, in git's lines.
    package static func gitRequest(_ origin: String, _ attributes: [String: String] = [:]) -> String {
        let parts = origin.split(separator: "://", maxSplits: 1).map(String.init)
        let lines = ["protocol": parts.first ?? "", "host": parts.last ?? ""].merging(attributes) { $1 }
        // protocol and host come first, as git sends them.
        let names = ["protocol", "host"] + lines.keys.filter { $0 != "protocol" && $0 != "host" }.sorted()
        return names.map { "\($0)=\(lines[$0] ?? "")\n" }.joined() + "\n"
    }

    /// Runs `git-credential-mojoauth OPERATION`.
    @discardableResult
    package func gitCredential(
        _ operation: String, _ origin: String, _ attributes: [String: String] = [:],
        environment: [String: String?] = [:]
    ) throws -> Outcome {
        try run(
            "git-credential-mojoauth", [operation], input: World.gitRequest(origin, attributes),
            environment: environment)
    }

    /// Runs `docker-credential-mojoauth ACTION` with these bytes on standard input.
    @discardableResult
    package func dockerCredential(_ action: String, _ input: String) throws -> Outcome {
        try run("docker-credential-mojoauth", [action], input: input)
    }
}
