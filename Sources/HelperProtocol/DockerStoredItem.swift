import Sensitive

/// A docker credential of a foreign server in the keyring, in the layout of docker-credential-secretservice: the same
/// items, so that either helper finds what the other kept. The secret is the item's text, byte for byte.
package enum DockerStoredItem {
    package static let schemaName = "io.docker.Credentials"

    /// Finds every docker credential, whatever its server's spelling: what is found is compared by
    /// ``DockerServer/matches(_:)``.
    package static let searchAttributes = ["label": "Docker Credentials", "docker_cli": "1"]

    /// The attributes to store under: the server as it was sent.
    package static func attributes(for credential: DockerCredential) -> [String: String] {
        var attributes = searchAttributes
        attributes["server"] = credential.server.spelling
        attributes["username"] = credential.username
        return attributes
    }

    /// What a keyring browser shows.
    package static func label(for credential: DockerCredential) -> String { credential.server.spelling }

    /// Server and username of an item that was found; nil when it lacks one.
    package static func entry(attributes: [String: String]) -> (server: DockerServer, username: String)? {
        guard let server = attributes["server"].flatMap({ try? DockerServer($0) }),
            let username = attributes["username"]
        else { return nil }
        return (server, username)
    }
}
