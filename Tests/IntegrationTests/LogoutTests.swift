import Testing
import TestSupport

/// Signing out: gone from the keyring in any case, revoked where that can be done (T14).
@Suite struct LogoutTests {
    @Test func revokesBothTokensAndForgets() throws {
        let signedIn = try SignedIn()
        let outcome = try signedIn.world.run("mojoauth-credential", ["logout"])
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
        #expect(try signedIn.world.secret(signedIn.attributes) == nil)
        let revocations = try signedIn.sandbox.requests().filter { $0.path.hasSuffix("/revoke") }
        #expect(revocations.map(\.status) == [200, 200])
    }

    @Test func forgetsAlsoWhenTheIssuerCannotBeReached() throws {
        let signedIn = try SignedIn()
        signedIn.sandbox.stop()
        let outcome = try signedIn.world.run("mojoauth-credential", ["logout"])
        #expect(outcome.exitCode == 75, "\(outcome)")
        #expect(outcome.errors.contains("gone from the keyring"), "\(outcome)")
        #expect(try signedIn.world.secret(signedIn.attributes) == nil)
        #expect(try signedIn.world.run("mojoauth-credential", ["status"]).exitCode == 77)
    }

    @Test func aSecondLogoutHasNothingToDo() throws {
        let signedIn = try SignedIn()
        for _ in 1...2 { #expect(try signedIn.world.run("mojoauth-credential", ["logout"]).exitCode == 0) }
    }

    @Test func allEndsEveryLogin() throws {
        let signedIn = try SignedIn()
        let outcome = try signedIn.world.run("mojoauth-credential", ["logout", "--all"])
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(try signedIn.world.items(["application": "mojoauth-credential"]).isEmpty)
    }

    /// Whoever signs out believes that the tokens are dead.
    @Test func saysThatTheIssuerOffersNoRevocation() throws {
        let signedIn = try SignedIn(["--fault", "metadata-minimal"])
        let outcome = try signedIn.world.run("mojoauth-credential", ["logout"])
        #expect(outcome.exitCode == 0 && outcome.errors.contains("offers no revocation"), "\(outcome)")
    }

    @Test func revokesTheTokensOfEveryAudience() throws {
        let other = "https://api.example.com"
        let signedIn = try SignedIn(hosts: [SignedIn.host: [:], other: ["audience": "https://api.example.com"]])
        #expect(try signedIn.world.gitCredential("get", other).exitCode == 0)
        #expect(try signedIn.world.run("mojoauth-credential", ["logout"]).exitCode == 0)
        let revocations = try signedIn.sandbox.requests().filter { $0.path.hasSuffix("/revoke") }
        #expect(revocations.map(\.status) == [200, 200, 200])
    }
}
