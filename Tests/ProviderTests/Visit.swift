import Foundation
import Testing
import TestSupport

/// A person's desktop with a profile for one provider: our programs, a keyring and a browser.
final class Visit {
    let world: World
    let provider: any Provider
    let clientID: String
    private let stub: BrowserStub
    /// The provider's session lies in it; nobody is signed in at first.
    let browser: Chromium

    static let host = "https://git.example.com"

    /// - Parameter clientID: in place of the provider's usual one.
    init(at provider: any Provider, in world: World, clientID: String? = nil) throws {
        self.world = world
        self.provider = provider
        self.clientID = clientID ?? provider.clientID
        browser = try SharedBrowser.signedOut()
        stub = try BrowserStub(in: world)
        try world.configure(
            issuer: provider.issuer, clientID: self.clientID,
            profile: ["redirect-uri": provider.redirectURIs.joined(separator: ";")], hosts: [Visit.host: [:]],
            browser: stub)
    }

    // MARK: Commands

    /// Runs `mojoauth-credential login` and does in the browser what `person` does.
    func logIn(_ options: [String] = [], as person: (Chromium) throws -> Void = { _ in }) throws -> Outcome {
        try runWithBrowser(["login"] + options, as: person)
    }

    /// Runs a command that opens a browser, and does there what `person` does.
    func runWithBrowser(_ arguments: [String], as person: (Chromium) throws -> Void) throws -> Outcome {
        let running = try world.start("mojoauth-credential", arguments)
        do {
            try browser.open(stub.url())
            try person(browser)
            return try running.finish(within: 30)
        } catch {
            let page = (try? "\(browser.url())\n\(browser.text())") ?? ""
            throw Stuck(description: "\(error)\nthe page:\n\(page)\nthe provider:\n\(provider.log)")
        }
    }

    /// Runs a command that needs no browser.
    func run(_ arguments: String...) throws -> Outcome {
        try world.run("mojoauth-credential", arguments)
    }

    /// The password that git is given.
    func gitPassword() throws -> String? {
        try world.gitCredential("get", Visit.host).attributes["password"]
    }

    /// The person could not go on.
    struct Stuck: Error, CustomStringConvertible {
        var description: String
    }

    // MARK: The stored login

    private var attributes: [String: String] {
        [
            "application": "mojoauth-credential", "kind": "auth-state", "profile": "default",
            "issuer": provider.issuer, "client_id": clientID,
        ]
    }

    /// The stored login, byte for byte; nil when there is none.
    func stored() throws -> String? { try world.secret(attributes) }

    func state() throws -> StoredLogin { try StoredLogin(#require(try stored())) }

    /// Puts another state into the item, as a backup that was played back would.
    func replace(_ state: StoredLogin) throws {
        try world.storeSecret(
            try state.text(), label: "MojoAuth login",
            attributes: ["xdg:schema": "com.mojoauth.Credential"]
                .merging(attributes) { $1 })
        #expect(try world.items(attributes).count == 1)
    }
}
