import Testing
import TestSupport

/// A world with an issuer that signs alice in without a click, a profile for it, and a login that was just made.
struct SignedIn {
    static let host = "https://git.example.com"

    let world: World
    let sandbox: Sandbox

    /// - Parameter service: starts the Secret Service, in place of gnome-keyring.
    init(
        _ sandboxOptions: [String] = [], profile: [String: String] = [:],
        hosts: [String: [String: String]] = [SignedIn.host: [:]], service: ((World) throws -> Void)? = nil
    ) throws {
        world = try World(service == nil ? .unlockedKeyring : .noService)
        try service?(world)
        sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"] + sandboxOptions)
        try world.configure(sandbox, profile: profile, hosts: hosts)
        try logIn()
    }

    func logIn(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let outcome = try world.run("mojoauth-credential", ["login"])
        #expect(outcome.exitCode == 0, "\(outcome)\n\(sandbox.server.log)", sourceLocation: sourceLocation)
    }

    /// The five attributes of the item that holds the login.
    var attributes: [String: String] {
        [
            "application": "mojoauth-credential", "kind": "auth-state", "profile": "default", "issuer": sandbox.issuer,
            "client_id": sandbox.clientID,
        ]
    }

    /// The stored login, byte for byte.
    func state() throws -> String {
        try #require(try world.secret(attributes))
    }

    /// The password that git would be given.
    func token(sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        let outcome = try world.gitCredential("get", SignedIn.host)
        return try #require(outcome.attributes["password"], "\(outcome)", sourceLocation: sourceLocation)
    }
}
