import Foundation
import Testing
import TestSupport

/// Who is signed in: from the ID token, from the issuer where that leaves something out, and from what was kept of it.
@Suite(.serialized) struct WhoamiTests {
    private func asked(_ signedIn: SignedIn) throws -> Int {
        try signedIn.sandbox.requests().count { $0.path == "/oauth/userinfo" }
    }

    private func person(_ signedIn: SignedIn, _ options: String...) throws -> [String: Any] {
        let outcome = try signedIn.world.run("mojoauth-credential", ["whoami", "--json"] + options)
        #expect(outcome.exitCode == 0, "\(outcome)")
        return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    }

    @Test func theIDTokenIsEnough() throws {
        let signedIn = try SignedIn()
        let person = try person(signedIn)
        #expect(person["email"] as? String == "alice@example.com")
        #expect(person["name"] != nil && person["sub"] != nil && person["userinfo_at"] == nil)
        #expect(try asked(signedIn) == 0)
    }

    @Test func theIssuerIsAskedOnceForWhatTheIDTokenLeavesOut() throws {
        let signedIn = try SignedIn(["--fault", "only-subject"])
        let first = try person(signedIn)
        #expect(first["email"] as? String == "alice@example.com")
        #expect(try asked(signedIn) == 1)
        // What was kept is shown with its age, also when nobody is there to ask.
        signedIn.sandbox.stop()
        let again = try person(signedIn)
        #expect(again["email"] as? String == "alice@example.com")
        #expect(again["userinfo_at"] as? Int == first["userinfo_at"] as? Int)
        let words = try signedIn.world.run("mojoauth-credential", ["whoami"])
        #expect(words.text.contains("the issuer, "), "\(words)")
    }

    @Test func refreshAsksInAnyCase() throws {
        let signedIn = try SignedIn()
        #expect(try person(signedIn, "--refresh")["userinfo_at"] != nil)
        #expect(try asked(signedIn) == 1)
    }
}
