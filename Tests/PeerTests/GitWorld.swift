import Foundation
import TestSupport
import Testing

/// An issuer, a git server that verifies its tokens by the key set, a private repository, and a login.
struct GitWorld {
    let world: World
    let sandbox: Sandbox
    let server: GitServer
    let url: String

    init(_ sandboxOptions: [String] = [], profile: [String: String] = [:], host: [String: String] = [:]) throws {
        world = try World()
        sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"] + sandboxOptions)
        server = try GitServer(in: world, keySet: sandbox.keySet)
        url = try server.makeRepository("private")
        try world.useHelperForGit()
        try world.configure(sandbox, profile: profile, hosts: [server.origin: host])
        let login = try world.run("mojoauth-credential", ["login"])
        try #require(login.exitCode == 0, "\(login)\n\(sandbox.server.log)")
    }

    /// The token that git would be given now.
    func token() throws -> String {
        let outcome = try world.gitCredential("get", server.origin)
        return try #require(outcome.attributes["password"], "\(outcome)")
    }

    /// The server refuses the token that git would be given now, and no other.
    func refuseToken() throws {
        try server.refuse(try #require(Self.claims(of: token())["jti"] as? String))
    }

    /// The server refuses whatever the issuer makes for this login.
    func refuseEveryToken() throws {
        try server.refuse(try #require(Self.claims(of: token())["sub"] as? String))
    }

    private static func claims(of token: String) throws -> [String: Any] {
        let parts = token.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        let data = try #require(Data(base64Encoded: text))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}
