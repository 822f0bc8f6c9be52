import Foundation

/// The real docker-registry: behind Apache where our tokens decide, alone where a password does.
package final class DockerRegistry {
    /// `host:port`, as docker spells a server.
    package let server: String
    private let registry: Server

    /// A registry that is open to bearers of the sandbox's tokens only, as Basic password.
    package init(in world: World, keySet: String) throws {
        let (registry, address) = try DockerRegistry.start(in: world, name: "registry", authentication: "")
        self.registry = registry
        try world.scratch.write(
            #"{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}"#,
            to: "registry-front/unauthorized.json", mode: 0o644)
        // docker takes a Bearer challenge for a token service's address, so Basic alone is offered: the error document
        // is a request of its own, which can replace the module's challenge.
        let apache = try ApacheServer(
            in: world, name: "registry-front", modules: ["proxy", "proxy_http", "oauth2"],
            directives: #"""
                ProxyPreserveHost On
                ProxyPass /v2/ http://\#(address)/v2/
                ErrorDocument 401 /unauthorized.json
                <Location /unauthorized.json>
                  Require all granted
                  Header always set WWW-Authenticate "Basic realm=\"registry\""
                </Location>
                <Location /v2/>
                \#(Protection.token(keySet: keySet).directives(root: "", challenges: ""))
                RequestHeader unset Authorization
                </Location>
                """#)
        server = String(apache.origin.dropFirst("http://".count))
    }

    /// A registry of others, with the account of ``ForeignAccount``.
    package init(foreignIn world: World) throws {
        let file = try world.scratch.write(ForeignAccount.passwordLine + "\n", to: "foreign-registry/htpasswd")
        (registry, server) = try DockerRegistry.start(
            in: world, name: "foreign-registry", authentication: "auth: {htpasswd: {realm: test, path: \(file)}}")
    }

    package var log: String { registry.log }

    static func start(
        in world: World, name: String, authentication: String
    ) throws -> (registry: Server, address: String) {
        let configuration = try world.scratch.write(
            """
            version: 0.1
            log: {level: info}
            storage: {filesystem: {rootdirectory: \(world.scratch.folder("\(name)/data"))}}
            http: {addr: "127.0.0.1:0"}
            \(authentication)

            """, to: "\(name)/config.yml")
        let registry = try world.serve(Tool.dockerRegistry.path(), ["serve", configuration])
        let address = try registry.waitForLine("the registry's port") {
            $0.firstMatch(of: /listening on (127\.0\.0\.1:\d+)/).map { String($0.1) }
        }
        return (registry, address)
    }
}
