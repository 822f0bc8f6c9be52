import Testing
import TestSupport

/// Stale tokens: renewed once, for everybody, before anybody sees one.
@Suite(.serialized) struct RefreshTests {
    @Test func freshTokenIsAnsweredWithoutTheIssuer() throws {
        let signedIn = try SignedIn()
        let requests = try signedIn.sandbox.requests().count
        signedIn.sandbox.stop()
        let outcome = try signedIn.world.gitCredential("get", SignedIn.host)
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors.isEmpty)
        #expect(outcome.attributes["username"] == "oauth2")
        #expect(outcome.attributes["password"]?.split(separator: ".").count == 3)
        #expect(try signedIn.sandbox.requests().count == requests)
    }

    @Test func fortyProcessesThatFindOneStaleTokenMakeOneRequest() throws {
        let signedIn = try SignedIn(["--access-lifetime", "6"], profile: ["min-lifetime": "5"])
        let first = try signedIn.state()
        try signedIn.waitUntilStale()
        let running = try (0..<40).map { _ in
            try signedIn.world.start("git-credential-mojoauth", ["get"], input: World.gitRequest(SignedIn.host))
        }
        let outcomes = try running.map { try $0.finish() }
        let tokens = Set(outcomes.map { $0.attributes["password"] })
        #expect(outcomes.allSatisfy { $0.exitCode == 0 && $0.errors.isEmpty }, "\(outcomes.map(\.description))")
        #expect(tokens.count == 1 && tokens.first != .some(nil))
        #expect(try signedIn.sandbox.refreshes() == 1)
        #expect(try signedIn.state() != first)
    }

    @Test func eachRefreshUsesTheTokenThatTheOneBeforeBrought() throws {
        let signedIn = try SignedIn()
        // The issuer revokes a family whose used-up token comes back: three in a row show that none did.
        var tokens: Set = [try signedIn.token()]
        for count in 1...3 {
            let outcome = try signedIn.world.run("mojoauth-credential", ["refresh"])
            #expect(outcome.exitCode == 0, "\(outcome)")
            #expect(try signedIn.sandbox.refreshes() == count)
            tokens.insert(try signedIn.token())
        }
        #expect(tokens.count == 4)
        #expect(try signedIn.world.items(["application": "mojoauth-credential"]).count == 1)
    }

    @Test func refreshWithoutRotationKeepsTheRefreshToken() throws {
        let signedIn = try SignedIn(["--no-rotation"])
        for _ in 1...2 {
            #expect(try signedIn.world.run("mojoauth-credential", ["refresh"]).exitCode == 0)
        }
        #expect(try signedIn.sandbox.refreshes() == 2)
    }

    @Test func refusedTokenIsRenewedByTheNextGet() throws {
        let signedIn = try SignedIn()
        let refused = try signedIn.token()
        let erased = try signedIn.world.gitCredential(
            "erase", SignedIn.host, ["username": "oauth2", "password": refused])
        #expect(erased.exitCode == 0 && erased.errors.isEmpty, "\(erased)")
        #expect(try signedIn.sandbox.refreshes() == 0)
        #expect(try signedIn.token() != refused)
        #expect(try signedIn.sandbox.refreshes() == 1)
    }

    @Test(arguments: [
        ("without a password", [:]),
        ("with another's password", ["username": "oauth2", "password": "not-ours"]),
    ]) func eraseOfSomethingElseChangesNothing(_ name: String, _ attributes: [String: String]) throws {
        let signedIn = try SignedIn()
        let before = try signedIn.state()
        let erased = try signedIn.world.gitCredential("erase", SignedIn.host, attributes)
        #expect(erased.exitCode == 0 && erased.errors.isEmpty, "\(erased)")
        #expect(try signedIn.state() == before)
    }

    @Test func storeOfOurOwnTokenKeepsNothingMore() throws {
        let signedIn = try SignedIn()
        let before = try signedIn.state()
        let stored = try signedIn.world.gitCredential(
            "store", SignedIn.host, ["username": "oauth2", "password": try signedIn.token()])
        #expect(stored.exitCode == 0 && stored.errors.isEmpty && stored.output.isEmpty)
        #expect(try signedIn.state() == before)
        #expect(try signedIn.world.items([:]).count == 1)
    }

    @Test(arguments: [
        ("server error", "token-500", Int32(75)),
        ("a proxy's page", "token-html-502", 75),
        ("refused refresh token", "invalid-grant", 77),
    ]) func refreshThatFailsSaysWhyAndHowLong(_ name: String, _ fault: String, _ exitCode: Int32) throws {
        let signedIn = try SignedIn()
        try signedIn.sandbox.startFault(fault)
        let outcome = try signedIn.world.run("mojoauth-credential", ["refresh"])
        #expect(outcome.exitCode == exitCode, "\(outcome)")
        #expect(outcome.errors.contains("mojoauth-credential: error: "))
        #expect(outcome.output.isEmpty)
        try signedIn.sandbox.stopFault(fault)
        // What was only temporary leaves the login as good as it was.
        let again = try signedIn.world.run("mojoauth-credential", ["refresh"])
        #expect(again.exitCode == (exitCode == 75 ? 0 : 77), "\(again)")
    }
}

extension SignedIn {
    /// Waits until a token of six seconds has less than the smaller of five seconds and half its lifetime left. This is
    /// the passing of time itself, not the readiness of anything.
    func waitUntilStale() throws {
        try world.run("sleep", ["3.2"])
    }
}
