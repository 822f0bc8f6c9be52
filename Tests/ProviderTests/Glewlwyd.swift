import Foundation
import TestSupport

/// glewlwyd from Debian, with a database and a key of a test's own, on loopback; the machine's own is not touched.
final class Glewlwyd: Provider {
    static let name = "glewlwyd 2.7"

    let issuer: String
    let clientID = "mojoauth-cli"
    let redirectURIs: [String]
    let administration: GlewlwydAdministration
    private let server: Server

    var log: String { server.log }

    /// - Parameter world: where it runs.
    init(in world: World) throws {
        redirectURIs = try Glewlwyd.freeRedirectURIs()
        try Glewlwyd.prepare(world)
        let (server, port) = try Glewlwyd.start(in: world)
        self.server = server
        let origin = "http://127.0.0.1:\(port)"
        issuer = "\(origin)/api/oidc"
        administration = try GlewlwydAdministration(origin: origin, issuer: issuer, in: world)
        try administration.provision(clientID: clientID, redirectURIs: redirectURIs)
    }

    private static let template = "/usr/share/glewlwyd"
    private static let schema = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"

    /// The database and the pages.
    private static func prepare(_ world: World) throws {
        let folder = try world.scratch.folder("glewlwyd")
        guard let tables = FileManager.default.contents(atPath: schema) else {
            throw MissingPart(description: "\(schema) is missing: run `make deps-test`")
        }
        let made = try world.run(
            .sqlite, ["\(folder)/database"], input: String(decoding: tables, as: UTF8.self))
        guard made.exitCode == 0 else { throw MissingPart(description: "sqlite3: \(made)") }
        // It serves no file that lies behind a link outside of its folder, and Debian's pages are full of such links.
        let copied = try world.run("cp", ["-RL", "\(template)/webapp", "\(folder)/pages"])
        guard copied.exitCode == 0 else { throw MissingPart(description: "cp: \(copied)") }
        // Debian's link names the folder that the file lies in.
        if FileManager.default.fileExists(atPath: "\(folder)/pages/config.json/config.json") {
            try FileManager.default.moveItem(atPath: "\(folder)/pages/config.json", toPath: "\(folder)/settings")
            try FileManager.default.moveItem(
                atPath: "\(folder)/settings/config.json", toPath: "\(folder)/pages/config.json")
        }
    }

    private static func start(in world: World) throws -> (Server, port: Int) {
        var attempts = 0
        while true {
            let port = try FreePort.find()
            let file = try world.scratch.write(
                configuration(folder: world.scratch.path("glewlwyd"), port: port), to: "glewlwyd/configuration")
            let server = try world.serve(Tool.glewlwyd.path(), ["--config-file=\(file)"])
            do {
                try server.waitForLine("glewlwyd's readiness") { $0.contains("Glewlwyd started on port") ? () : nil }
                return (server, port)
            } catch {
                // Another process may have taken the port since it was found free.
                attempts += 1
                guard attempts < 3, !server.child.isRunning else { throw error }
            }
        }
    }

    private static func configuration(folder: String, port: Int) -> String {
        let types = [
            ("html", "text/html"), ("css", "text/css"), ("js", "application/javascript"),
            ("json", "application/json"), ("png", "image/png"), ("woff2", "font/woff2"),
        ]
        let typeList = types.map { "{ extension = \".\($0.0)\"; mime_type = \"\($0.1)\"; compress = 0 }" }
        let modules = [
            ("user", "user"), ("client", "client"), ("user_auth_scheme", "scheme"), ("plugin", "plugin"),
        ]
        return """
            port=\(port)
            bind_address="127.0.0.1"
            external_url="http://127.0.0.1:\(port)"
            login_url="login.html"
            api_prefix="api"
            static_files_path="\(folder)/pages/"
            log_mode="console"
            log_level="INFO"
            cookie_domain="127.0.0.1"
            cookie_secure=0
            cookie_same_site="empty"
            session_expiration=3600
            session_key="GLEWLWYD2_SESSION_ID"
            admin_session_authentication="cookie"
            profile_session_authentication="cookie"
            login_api_enabled=true
            admin_scope="g_admin"
            profile_scope="g_profile"
            \(modules.map { "\($0.0)_module_path=\"/usr/lib/glewlwyd/\($0.1)\"" }.joined(separator: "\n"))
            hash_algorithm="SHA512"
            database = { type = "sqlite3"; path = "\(folder)/database" };
            static_files_mime_types = ( \(typeList.joined(separator: ",\n    ")) );

            """
    }
}
