/// docker's configuration, and images to look at.
extension World {
    /// docker's configuration file, which skopeo and podman take as `--authfile`.
    package var dockerConfiguration: String { scratch.path("home/.docker/config.json") }

    /// Writes docker's configuration file.
    package func useHelperForDocker(_ configuration: String) throws {
        try scratch.write(configuration, to: "home/.docker/config.json")
    }

    /// Pushes an image of one small layer: with skopeo asking our helper, or with a credential (`user:password`) in hand.
    package func pushImage(to image: String, credential: String? = nil) throws {
        let image = (from: try ImageLayout(in: self).reference, to: "docker://\(image)")
        let authentication = credential.map { ["--dest-creds", $0] } ?? ["--authfile", dockerConfiguration]
        let outcome = try run(
            .skopeo,
            ["--insecure-policy", "copy", "--format", "v2s2", "--dest-tls-verify=false"] + authentication
                + [image.from, image.to])
        guard outcome.exitCode == 0 else { throw MissingPart(description: "skopeo copy: \(outcome)") }
    }
}
