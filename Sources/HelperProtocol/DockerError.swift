/// What a docker helper says on standard output, beside exit code 1. Clients compare some of these as text.
package struct DockerError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// Exactly this, and alone: everything else ends a pull, even of a public image.
    package static let notFound = DockerError("credentials not found in native keychain")
    package static let noServer = DockerError("no credentials server URL")
    package static let noUsername = DockerError("no credentials username")
    static let badServer = DockerError("credentials server URL is not printable text")
    static let badSecret = DockerError("the secret is not text that JSON can carry")

    package static func unknownAction(_ action: String, program: String) -> DockerError {
        DockerError("\(program): unknown action: \(action)")
    }

    /// The line for standard output.
    package var line: String { description + "\n" }
}
