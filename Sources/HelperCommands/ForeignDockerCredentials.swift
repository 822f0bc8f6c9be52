import HelperProtocol
import Keyring
import Program
import Sensitive

/// docker credentials of servers that no entry names: a plain store, in the items that docker-credential-secretservice
/// keeps. One registry is one entry, however it is spelled.
struct ForeignDockerCredentials {
    let client: SecretServiceClient

    func find(_ server: DockerServer) throws(KeyringError) -> DockerCredential? {
        let found = try items(server)
        // The very spelling before another of the same registry.
        for candidate in found.filter({ $0.server == server }) + found.filter({ $0.server != server }) {
            guard let secret = try client.secret(of: candidate.item) else { continue }
            return DockerCredential(server: server, username: candidate.username, secret: secret)
        }
        return nil
    }

    /// Keeps the credential as the registry's only one.
    func store(_ credential: DockerCredential) throws(KeyringError) {
        let before = try items(credential.server)
        try client.store(
            credential.secret, attributes: DockerStoredItem.attributes(for: credential),
            schema: DockerStoredItem.schemaName, label: DisplayText.clean(DockerStoredItem.label(for: credential)))
        for other in before where other.server != credential.server || other.username != credential.username {
            try client.delete(other.item)
        }
    }

    func erase(_ server: DockerServer) throws(KeyringError) {
        for found in try items(server) { try client.delete(found.item) }
    }

    /// Server and username of every entry that can be seen without asking a person.
    func list() throws(KeyringError) -> [(server: String, username: String)] {
        var result: [(server: String, username: String)] = []
        for item in try client.search(DockerStoredItem.searchAttributes) where !item.isLocked {
            guard let entry = try client.attributes(of: item).flatMap(DockerStoredItem.entry) else { continue }
            result.append((entry.server.spelling, entry.username))
        }
        return result
    }

    private func items(_ server: DockerServer) throws(KeyringError) -> [(
        item: Item, server: DockerServer, username: String
    )] {
        var result: [(item: Item, server: DockerServer, username: String)] = []
        for item in try client.searchUnlocked(DockerStoredItem.searchAttributes) {
            guard let attributes = try client.attributes(of: item),
                let entry = DockerStoredItem.entry(attributes: attributes),
                entry.server.matches(server)
            else { continue }
            result.append((item, entry.server, entry.username))
        }
        return result
    }
}
