import Foundation
import TestSupport
import Testing

/// An issuer, a server of packages that takes its tokens, a host entry for it, and a login.
struct PackageWorld {
    let world: World
    let sandbox: Sandbox
    let server: PackageServer

    /// - Parameter isConfigured: false: the server is a stranger, to whom no entry gives a token.
    init(isConfigured: Bool = true, logsIn: Bool = true) throws {
        world = try World()
        sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        server = try PackageServer(in: world, issuer: sandbox.issuer)
        let origins = isConfigured ? [server.origin, "https://127.0.0.1:\(server.port)"] : ["https://other.example"]
        try world.configure(sandbox, hosts: Dictionary(uniqueKeysWithValues: origins.map { ($0, [:]) }))
        guard logsIn else { return }
        let login = try world.run("mojoauth-credential", ["login"])
        try #require(login.exitCode == 0, "\(login)\n\(sandbox.server.log)")
    }

    /// As after a refusal: the next tool that asks must renew the token first.
    func makeTokenStale() throws {
        let token = try world.gitCredential("get", server.origin).attributes["password"]
        try world.gitCredential("erase", server.origin, ["password": try #require(token)])
    }

    /// One of the programs of `Tests/package-clients.txt`, which `make test` installs.
    ///
    /// - Parameter path: below its folder.
    static func client(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let program = root.appending(path: ".build/package-clients/\(path)").path
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw MissingPart(description: "\(program) is missing: run `make .build/package-clients/ready`")
        }
        return program
    }
}

/// What a tool meets: each is tried with every one of them.
enum Situation: CaseIterable, Sendable {
    case signedIn
    case staleToken
    case noLogin
    case noEntry

    func make() throws -> PackageWorld {
        let made = try PackageWorld(isConfigured: self != .noEntry, logsIn: self != .noLogin)
        if self == .staleToken { try made.makeTokenStale() }
        return made
    }

    var succeeds: Bool { self == .signedIn || self == .staleToken }
}
