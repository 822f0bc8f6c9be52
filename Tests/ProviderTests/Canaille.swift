import Foundation
import TestSupport

/// canaille from PyPI, in the environment that `make test` installs below `.build`, with a database of a test's own.
final class Canaille: Provider, @unchecked Sendable {
    // Sendable: nothing changes once it runs; its world is kept, not used.
    static let name = "canaille 0.3.6"

    /// A client for which canaille asks the person's leave; it trusts the usual one.
    static let askingClient = "asks-for-leave"
    /// A client that nobody gave an audience: its ID tokens are for nobody.
    static let clientWithoutAudience = "without-audience"

    let issuer: String
    let clientID = "mojoauth-cli"
    let redirectURIs: [String]
    private let server: Server
    private let world: World

    var log: String { server.log }

    init() throws {
        world = try World(.noBus, programs: false)
        redirectURIs = try Canaille.freeRedirectURIs()
        let program = try Canaille.program()
        let key = try world.run(.openssl, ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
        guard key.exitCode == 0 else { throw MissingPart(description: "openssl: \(key)") }
        let (server, port) = try Canaille.start(program, key: key.text, in: world)
        self.server = server
        issuer = "http://127.0.0.1:\(port)"
        try provision(program)
    }

    private static func program() throws -> String {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized.path
        let program = "\(root)/.build/canaille/bin/canaille"
        guard access(program, X_OK) == 0 else {
            throw MissingPart(description: "\(program) is missing: run `make test`, which installs it")
        }
        return program
    }

    private static func start(_ program: String, key: String, in world: World) throws -> (Server, port: Int) {
        var attempts = 0
        while true {
            let port = try FreePort.find()
            let folder = try world.scratch.folder("canaille")
            let file = try world.scratch.write(
                """
                SECRET_KEY = "\(UUID().uuidString)"
                SERVER_NAME = "127.0.0.1:\(port)"
                PREFERRED_URL_SCHEME = "http"
                [CANAILLE]
                DATABASE = "sql"
                [CANAILLE_SQL]
                DATABASE_URI = "sqlite:///\(folder)/database"
                [CANAILLE_OIDC]
                ACTIVE_JWKS = ['''
                \(key)''']

                """, to: "canaille/settings.toml")
            world.set(["CANAILLE_CONFIG": file])
            // No worker: all in the one process that ends with the test. It makes its database by itself.
            let server = try world.serve(program, ["run", "--workers", "0", "--bind", "127.0.0.1:\(port)"])
            do {
                try server.waitForLine("canaille's readiness", seconds: 40) { $0.contains("Running on") ? () : nil }
                return (server, port)
            } catch {
                // Another process may have taken the port since it was found free.
                attempts += 1
                guard attempts < 3, server.log.contains("address already in use") else { throw error }
            }
        }
    }

    /// Alice and the clients, at once: each command takes seconds to load.
    private func provision(_ program: String) throws {
        let person = try world.start(
            program,
            [
                "create", "user", "--user-name", Alice.username, "--password", Alice.password, "--family-name",
                "Example", "--formatted-name", Alice.name, "--emails", Alice.email,
            ])
        let clients = [
            client(clientID, at: "http://127.0.0.1/"),
            client(Canaille.askingClient, at: "https://client.example/"),
            client(Canaille.clientWithoutAudience, at: "http://127.0.0.1/", audience: []),
        ]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: ["client": clients]), as: UTF8.self)
        let restored = try world.run(program, ["restore"], input: text)
        for outcome in [try person.finish(), restored] where outcome.exitCode != 0 {
            throw MissingPart(description: "canaille: \(outcome)")
        }
    }

    /// - Parameter home: the client's own page; canaille trusts a client at home on loopback.
    private func client(_ id: String, at home: String, audience: [String]? = nil) -> [String: Any] {
        [
            "id": id, "client_id": id, "audience": audience ?? [id], "client_name": "MojoAuth CLI", "client_uri": home,
            "redirect_uris": redirectURIs, "post_logout_redirect_uris": redirectURIs,
            "token_endpoint_auth_method": "none", "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "scope": ["openid", "profile", "email"], "application_type": "native",
            "id_token_signed_response_alg": "RS256",
        ]
    }
}
