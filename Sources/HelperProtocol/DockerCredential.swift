import JSON
import Sensitive

/// What docker's helpers store and answer.
package struct DockerCredential: Sendable, Equatable {
    package var server: DockerServer
    package var username: String
    package var secret: Secret

    package init(server: DockerServer, username: String, secret: Secret) {
        self.server = server
        self.username = username
        self.secret = secret
    }

    /// The username that says the secret is an OAuth refresh token for the registry's own token service.
    package static let identityTokenUsername = "<token>"

    package var isIdentityToken: Bool { username == Self.identityTokenUsername }

    /// Parses the object of `store`. Members that we do not know are ignored.
    ///
    /// - Throws: ``DockerError``: `.noServer`, `.noUsername`, or what is wrong with the JSON.
    package init(parsing bytes: [UInt8]) throws(DockerError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw DockerError(error.description)
        }
        guard let object = value.object else { throw DockerError("JSON, but not an object") }
        let server = try DockerServer(try Self.text("ServerURL", of: object))
        let username = try Self.text("Username", of: object)
        guard !username.isEmpty else { throw .noUsername }
        self.init(server: server, username: username, secret: Secret(try Self.text("Secret", of: object)))
    }

    private static func text(_ name: String, of object: JSONObject) throws(DockerError) -> String {
        switch object[name] {
        case nil, .null: return ""
        case .string(let text): return text
        default: throw DockerError("\(name) is not a string")
        }
    }

    /// The answer to `get`: the caller's spelling of the server, and LF behind the object.
    ///
    /// - Throws: ``DockerError`` for a secret that is not UTF-8.
    package func serialized() throws(DockerError) -> [UInt8] {
        guard let secret = secret.text else { throw .badSecret }
        return try Self.line([
            .init(name: "ServerURL", value: .string(server.spelling)),
            .init(name: "Username", value: .string(username)),
            .init(name: "Secret", value: .string(secret)),
        ])
    }

    /// The answer to `list`: an object of usernames by server, `{}` when there are none. Of two entries for one
    /// spelling the first counts.
    package static func serialize(list entries: [(server: String, username: String)]) throws(DockerError) -> [UInt8] {
        var seen: Set<String> = []
        return try line(
            entries.filter { seen.insert($0.server).inserted }.map {
                .init(name: $0.server, value: .string($0.username))
            })
    }

    private static func line(_ members: [JSONObject.Member]) throws(DockerError) -> [UInt8] {
        do throws(JSONError) {
            return try JSONValue.object(JSONObject(distinct: members)).serialized() + [0x0A]
        } catch {
            throw .badSecret
        }
    }

    /// The answer to `version`.
    package static func versionLine(program: String, version: String) -> String { "\(program) \(version)\n" }
}
