import Foundation
import Testing
import TestSupport

/// What stands between the issuer's answer and the keyring: the order of it, and what is left when saving fails.
@Suite(.serialized) struct SavingTests {
    /// A login whose token the host has refused: the next get renews it, and the issuer takes three seconds to answer.
    private func refused() throws -> SignedIn {
        let signedIn = try SignedIn()
        _ = try signedIn.world.gitCredential(
            "erase", SignedIn.host, ["username": "oauth2", "password": try signedIn.token()])
        try signedIn.sandbox.startFault("slow-token=3")
        return signedIn
    }

    /// Starts a command that renews the token, and returns once it has read the keyring and asked the issuer for keys.
    private func start(_ signedIn: SignedIn, _ program: String, _ arguments: [String], input: String = "") throws
        -> Execution
    {
        let before = try signedIn.sandbox.requests().count
        let running = try signedIn.world.start(program, arguments, input: input)
        try wait(for: signedIn) { $0.dropFirst(before).contains { $0.path.hasSuffix("jwks.json") } }
        return running
    }

    private func wait(for signedIn: SignedIn, until isThere: ([Sandbox.Request]) -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: 20)
        while !isThere(try signedIn.sandbox.requests()) {
            try #require(Date() < deadline, "the issuer was not asked")
            usleep(2000)
        }
    }

    @Test(arguments: [
        ("git-credential-mojoauth", ["get"], World.gitRequest(SignedIn.host)), ("mojoauth-credential", ["get"], ""),
    ])
    func aTokenIsShownOnlyAfterItIsSaved(_ program: String, _ arguments: [String], _ input: String) throws {
        let signedIn = try refused()
        let running = try start(signedIn, program, arguments, input: input)
        // From here on nothing is saved, until the keyring answers again.
        signedIn.world.keyring?.freeze()
        try wait(for: signedIn) { $0.contains { $0.grantType == "refresh_token" && $0.status == 200 } }
        // The issuer notes it as it comes, and answers three seconds later. A token that is shown before it is saved would
        // be there a few milliseconds after that; the keyring is waited for through five seconds.
        usleep(3_700_000)
        #expect(running.child.isRunning)
        #expect(running.outputSoFar.isEmpty)
        signedIn.world.keyring?.thaw()
        let outcome = try running.finish(within: 20)
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
        let token = outcome.attributes["password"] ?? outcome.text.trimmingCharacters(in: .newlines)
        #expect(token.split(separator: ".").count == 3)
        #expect(try signedIn.state().contains(token))
        #expect(try signedIn.sandbox.refreshes() == 1)
    }

    /// Whoever is killed between the issuer's answer and the keyring's loses the login: one call lies there, and no second.
    @Test func betweenTheAnswerAndTheSavingLiesOneCall() throws {
        let signedIn = try refused()
        try signedIn.sandbox.startFault("slow-token=4")
        let monitor = try BusMonitor(in: signedIn.world, .profile)
        let running = try start(signedIn, "mojoauth-credential", ["refresh"])
        let before = try monitor.calls().count
        // The issuer still takes its time.
        #expect(running.child.isRunning)
        let outcome = try running.finish(within: 20)
        #expect(outcome.exitCode == 0, "\(outcome)")
        let calls = try monitor.calls().dropFirst(before)
        let sender = try #require(calls.first { $0.member == "SetSecret" }?.sender)
        #expect(calls.filter { $0.sender == sender }.map(\.member) == ["SetSecret"], "\(calls)")
    }

    @Test func aTokenThatCannotBeSavedIsHandedOutOnceWithAWarning() throws {
        let signedIn = try refused()
        let running = try start(signedIn, "mojoauth-credential", ["get"])
        try signedIn.world.lockKeyring()
        let outcome = try running.finish(within: 20)
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(outcome.text.split(separator: ".").count == 3)
        #expect(outcome.errors.contains("mojoauth-credential: error: the renewed login could not be stored: "))
        #expect(outcome.errors.contains("mojoauth-credential: hint: "))
        #expect(!outcome.errors.contains(outcome.text.trimmingCharacters(in: .newlines)))
        #expect(try signedIn.sandbox.refreshes() == 1)
    }

    @Test func aNewerLoginSurvivesTheRefusalOfTheOldOne() throws {
        let signedIn = try refused()
        try signedIn.sandbox.startFault("invalid-grant")
        let running = try start(signedIn, "mojoauth-credential", ["refresh"])
        // Somebody who does not know of our lock puts another login in its place.
        let old = try signedIn.state()
        let refreshToken = try #require(old.firstMatch(of: /"refresh_token":"([^"]+)"/)?.1)
        let newer = old.replacing(refreshToken, with: "another-refresh-token")
        let item = ["xdg:schema": "com.mojoauth.Credential"].merging(signedIn.attributes) { $1 }
        try signedIn.world.storeSecret(newer, label: "newer", attributes: item)
        let outcome = try running.finish(within: 20)
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(try signedIn.sandbox.refreshes() == 1)
        #expect(try signedIn.world.items(["application": "mojoauth-credential"]).count == 1)
        #expect(try signedIn.state() == newer)
    }

    @Test func aLoginThatIsRefusedIsOver() throws {
        let signedIn = try refused()
        try signedIn.sandbox.startFault("invalid-grant")
        let running = try start(signedIn, "mojoauth-credential", ["refresh"])
        let outcome = try running.finish(within: 20)
        #expect(outcome.exitCode == 77, "\(outcome)")
        #expect(try !signedIn.state().contains("refresh_token"))
    }

    /// From the helper's child, which has no other way to tell.
    @Test func theHelperHandsOutATokenThatItsChildCouldNotSave() throws {
        let signedIn = try refused()
        let running = try start(
            signedIn, "git-credential-mojoauth", ["get"], input: World.gitRequest(SignedIn.host))
        try signedIn.world.lockKeyring()
        let outcome = try running.finish(within: 20)
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(outcome.attributes["password"]?.split(separator: ".").count == 3, "\(outcome)")
        #expect(outcome.errors.contains("mojoauth-credential: error: the renewed login could not be stored: "))
        #expect(try signedIn.sandbox.refreshes() == 1)
    }
}
