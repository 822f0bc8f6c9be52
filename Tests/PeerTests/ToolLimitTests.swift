import TestSupport
import Testing

/// A tool that gives up after ten seconds hears before what is the matter, and no person is asked meanwhile.
@Suite(.serialized) struct ToolLimitTests {
    private static let host = "tool.example.com"

    private static func signedIn() throws -> (World, Sandbox) {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        try world.configure(sandbox, hosts: ["https://\(host)": [:]])
        let login = try world.run("mojoauth-credential", ["login"])
        try #require(login.exitCode == 0, "\(login)")
        return (world, sandbox)
    }

    private static func bazel(_ world: World) throws -> Outcome {
        try world.run("bazel-credential-mojoauth", ["get"], input: #"{"uri":"https://\#(host)/"}"#)
    }

    /// The others wait for whom the keyring asks, as git does.
    @Test(arguments: [
        (["bazel-credential-mojoauth", "get"], false), (["terraform-credentials-mojoauth", "get", host], true),
        (["mojoauth-helper", "keyring", "get", "https://\(host)/"], true),
        (["mojoauth-helper", "goauth", "https://\(host)/"], true), (["mojoauth-helper", "token", host], true),
    ]) func keyringsPrompt(_ words: [String], _ isShown: Bool) throws {
        let (world, _) = try Self.signedIn()
        world.keyring?.kill()
        let prompter = try world.keep(MockPrompter(in: world, [.password(KeyringDaemon.password)]))
        try world.startKeyring(password: "another one", prompter: prompter)
        world.set(["DISPLAY": ":0"])
        let outcome = try world.run(
            "setsid", ["--wait"] + words, input: #"{"uri":"https://\#(Self.host)/"}"#)
        #expect((outcome.exitCode == 0) == isShown && outcome.text.contains("eyJ") == isShown, "\(outcome)")
        #expect(outcome.errors.contains("the keyring is locked") != isShown, "\(outcome)")
        // The prompt was there for whoever opens it.
        #expect(try world.gitCredential("get", "https://\(Self.host)").attributes["password"] != nil)
    }

    @Test func issuerThatHangs() throws {
        let (world, sandbox) = try Self.signedIn()
        let token = try world.gitCredential("get", "https://\(Self.host)").attributes["password"]
        try world.gitCredential("erase", "https://\(Self.host)", ["password": try #require(token)])
        try sandbox.startFault("slow-token=12")
        let outcome = try Self.bazel(world)
        #expect(outcome.exitCode == 1 && outcome.output.isEmpty && outcome.seconds < 10, "\(outcome)")
        #expect(outcome.errors.contains("the token refresh has been running for 8 seconds"), "\(outcome)")
        #expect(outcome.errors.contains("hint: it goes on; try again"), "\(outcome)")
        // Who waits longer gets what that one brings.
        let later = try world.gitCredential("get", "https://\(Self.host)").attributes["password"]
        #expect(later != nil && later != token)
        #expect(try Self.bazel(world).exitCode == 0)
        #expect(try sandbox.refreshes() == 1)
    }
}
