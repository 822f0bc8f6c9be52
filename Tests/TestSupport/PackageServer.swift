import Foundation

/// `Tests/Registries/serve` in a world: an https server with a certificate of an authority of the test's own, which
/// stands in for the servers of package tools and of kubectl. It takes the tokens of one issuer.
package final class PackageServer {
    package let port: String
    /// The authority's certificate, which clients must be told to trust.
    package let authorityFile: String
    private let server: Server

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../Registries/serve").standardized.path

    /// - Parameter issuer: whose access tokens are good.
    package init(in world: World, issuer: String) throws {
        let folder = try world.scratch.folder("packages")
        let settings = try world.scratch.write(Self.settings, to: "packages/openssl.cnf")
        authorityFile = "\(folder)/authority.pem"
        let shared = ["req", "-config", settings, "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        let issued = ["-nodes", "-days", "1"]
        for arguments in [
            ["-subj", "/CN=test authority", "-extensions", "authority", "-keyout", "\(folder)/authority-key.pem"]
                + ["-out", authorityFile],
            ["-subj", "/CN=localhost", "-extensions", "server", "-keyout", "\(folder)/key.pem"]
                + ["-CA", authorityFile, "-CAkey", "\(folder)/authority-key.pem", "-out", "\(folder)/certificate.pem"],
        ] {
            let made = try world.run(.openssl, shared + issued + arguments)
            guard made.exitCode == 0 else { throw MissingPart(description: "openssl req: \(made)") }
        }
        server = try world.serve(
            Tool.python.path(),
            [Self.script, "\(folder)/certificate.pem", "\(folder)/key.pem", "\(issuer)/oauth/userinfo"])
        port = try server.waitForLine("the package server's port") {
            $0.firstMatch(of: /^listening on (\d+)$/).map { String($0.1) }
        }
    }

    /// Scheme, host and port: what a host entry of our configuration names.
    package var origin: String { "https://localhost:\(port)" }

    /// A line a request: who asked (`-` for nobody), the status, the path.
    package var log: String { server.log }

    /// The paths that somebody with a token was given.
    package var served: [String] {
        log.matches(of: /(?m)^\S+@\S+ 20[04] (\S+)$/).map { String($0.1) }
    }

    private static let settings = """
        [req]
        distinguished_name = name
        [name]
        [authority]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign
        subjectKeyIdentifier = hash
        [server]
        basicConstraints = critical, CA:FALSE
        subjectAltName = DNS:localhost, IP:127.0.0.1
        extendedKeyUsage = serverAuth

        """
}
