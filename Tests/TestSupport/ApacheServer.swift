import Foundation

/// Apache with a configuration of a test's own; the machine's Apache is neither read nor touched.
package final class ApacheServer {
    /// Scheme, host and port, without a slash at the end.
    package let origin: String
    private let server: Server

    /// - Parameters:
    ///   - name: of its folder below the scratch folder.
    ///   - modules: beyond the core's, without `mod_` and `.so`.
    ///   - directives: what it serves and to whom. A `Listen` line is not among them.
    init(in world: World, name: String, modules: [String], directives: String) throws {
        let root = try world.scratch.folder(name, mode: 0o755)
        var attempts = 0
        while true {
            let port = try FreePort.find()
            try world.scratch.write(
                ApacheServer.configuration(root: root, port: port, modules: modules, directives: directives),
                to: "\(name)/httpd.conf", mode: 0o644)
            let server = try world.serve(
                Tool.apache.path(), ["-f", "\(root)/httpd.conf", "-D", "FOREGROUND", "-E", "/dev/stderr"])
            do {
                _ = try server.waitForLine("Apache's readiness") {
                    $0.contains("resuming normal operations") ? true : nil
                }
                (self.server, origin) = (server, "http://127.0.0.1:\(port)")
                return
            } catch {
                // Another process may have taken the port since it was found free.
                attempts += 1
                guard attempts < 3, server.log.contains("could not bind") else { throw error }
            }
        }
    }

    /// What it has logged: one line a request, errors between them.
    package var log: String { server.log }

    private static func configuration(root: String, port: Int, modules: [String], directives: String) -> String {
        let modules = ["mpm_prefork", "authz_core", "authz_user", "authn_core", "headers"] + modules
        let loading = modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }
        // Apache refuses to serve as root, and cannot become another user when it is not.
        let identity = geteuid() == 0 ? "User www-data\nGroup www-data" : ""
        return """
            ServerRoot \(root)
            ServerName 127.0.0.1
            Listen 127.0.0.1:\(port)
            DefaultRuntimeDir \(root)
            PidFile \(root)/httpd.pid
            Mutex file:\(root)
            DocumentRoot \(root)
            ErrorLog /dev/stderr
            LogLevel notice
            LogFormat "%r %>s user=%u" line
            CustomLog /dev/stderr line
            StartServers 2
            \(identity)
            \(loading.joined(separator: "\n"))
            <Location />
              Require all denied
            </Location>
            \(directives)

            """
    }
}
