import Foundation
import OpenIDConnect
import Sensitive
import SessionStore
import TestSupport
import Testing

/// A world with an issuer that notes every secret it gives or gets, and a profile for it.
struct Stage {
    static let host = "https://git.example.com"

    let world: World
    let sandbox: Sandbox
    /// Instead of one that goes where it is sent.
    let browser: BrowserStub?
    private let issuerSecrets: IssuerSecrets

    /// - Parameters:
    ///   - options: of the sandbox.
    ///   - clientSecret: what a client that must prove itself shows.
    ///   - isSignedIn: whether a login is made.
    ///   - stubsBrowser: whether the test goes where the browser is sent.
    init(
        _ options: [String] = [], profile: [String: String] = [:], hosts: [String: [String: String]] = [host: [:]],
        clientSecret: String? = nil, isSignedIn: Bool = true, stubsBrowser: Bool = false
    ) throws {
        let world = try World()
        self.world = world
        issuerSecrets = try IssuerSecrets(in: world)
        let secret = try clientSecret.map {
            ["--client-secret-file", try world.scratch.write($0, to: "issuer/client-secret")]
        }
        sandbox = try Sandbox(
            in: world, issuerSecrets.options + ["--auto", "alice@example.com"] + (secret ?? []) + options)
        browser = stubsBrowser ? try world.keep(BrowserStub(in: world)) : nil
        try world.configure(sandbox, profile: profile, hosts: hosts, browser: browser)
        // Another sandbox may have had this port a moment ago, and its login may have been let pass.
        AbandonedLogin.forget(SessionKey(profile: "default", issuer: sandbox.issuer, clientID: sandbox.clientID))
        if isSignedIn { try logIn() }
    }

    /// From now on the test goes where the browser is sent, or does not.
    func stubBrowser(profile: [String: String] = [:]) throws -> BrowserStub {
        let browser = try world.keep(BrowserStub(in: world))
        try world.configure(sandbox, profile: profile, hosts: [Self.host: [:]], browser: browser)
        return browser
    }

    func logIn() throws {
        let outcome = try world.run("mojoauth-credential", ["login"])
        try #require(outcome.exitCode == 0, "\(outcome)\n\(sandbox.server.log)")
    }

    /// Starts a `get` of git's.
    func startGet(_ host: String = host, environment: [String: String?] = [:]) throws -> Execution {
        try world.start(
            "git-credential-mojoauth", ["get"], input: World.gitRequest(host), environment: environment)
    }

    /// Refuses the token, so that the next get has to renew it.
    func rejectToken() throws {
        let token = try #require(try state()["access_token"] as? String)
        let outcome = try world.gitCredential("erase", Self.host, ["username": "oauth2", "password": token])
        try #require(outcome.exitCode == 0, "\(outcome)")
    }

    private func stored(profile: String) throws -> String {
        try #require(
            try world.secret([
                "application": "mojoauth-credential", "kind": "auth-state", "profile": profile,
                "issuer": sandbox.issuer, "client_id": sandbox.clientID,
            ]))
    }

    /// The stored login, as our programs read it; it always decodes.
    func decodedState() throws -> AuthState {
        #expect(try state()["version"] as? Int == 1)
        return try AuthStateCoding.decode(Secret(stored(profile: "default")))
    }

    /// The stored login of a profile, as others see it.
    func state(profile: String = "default") throws -> [String: Any] {
        let text = try stored(profile: profile)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require(object, "the stored login is not JSON")
    }

    /// Everything that must not be seen, by name.
    func secrets() throws -> [(name: String, value: String)] { try issuerSecrets.all() }

    /// The names of the secrets that stand where none may, each with the beginning of the text it stands in: what the
    /// programs said, files of theirs, and answers beside the secret that was asked for.
    ///
    /// - Parameters:
    ///   - words: standard errors, and standard output where it is no answer to a caller.
    ///   - others: secrets that did not come from the issuer.
    func leaks(in words: [String], answers: [Answer] = [], others: [String] = []) throws -> [String] {
        try issuerSecrets.leaks(in: words, answers: answers, of: world, others: others)
    }
}
