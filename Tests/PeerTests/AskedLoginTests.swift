import SessionStore
import TestSupport
import Testing

/// A login that a helper opens: when a person is there, once for everybody, and not again for whoever let it pass.
@Suite(.serialized) struct AskedLoginTests {
    private static let host = "https://git.example.com"

    /// A desktop, as far as the environment tells; nobody has signed in.
    private static func world(host: [String: String] = [:]) throws -> (World, Sandbox) {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        try world.configure(sandbox, hosts: [Self.host: host])
        // Another sandbox may have had this port a moment ago, and its login may have been let pass.
        AbandonedLogin.forget(
            SessionKey(profile: "default", issuer: sandbox.issuer, clientID: sandbox.clientID))
        world.set(["DISPLAY": ":0"])
        return (world, sandbox)
    }

    private static func visits(_ sandbox: Sandbox) throws -> Int {
        try sandbox.requests().count { $0.path.hasPrefix("/oauth/authorize") }
    }

    @Test func tenFetchesAtOnceOpenOneBrowser() throws {
        let (world, sandbox) = try Self.world()
        let running = try (0..<10).map { _ in
            try world.start("git-credential-mojoauth", ["get"], input: World.gitRequest(Self.host))
        }
        let outcomes = try running.map { try $0.finish() }
        #expect(outcomes.allSatisfy { $0.exitCode == 0 }, "\(outcomes.map(\.description))")
        #expect(Set(outcomes.map { $0.attributes["password"] }).count == 1)
        #expect(outcomes.first?.attributes["password"] != nil)
        #expect(try Self.visits(sandbox) == 1)
        #expect(try sandbox.tokenRequests("authorization_code") == 1)
    }

    @Test func tenFetchesThatOnePersonDeniesOpenOneBrowser() throws {
        let (world, sandbox) = try Self.world()
        try sandbox.startFault("deny")
        let running = try (0..<10).map { _ in
            try world.start("git-credential-mojoauth", ["get"], input: World.gitRequest(Self.host))
        }
        let outcomes = try running.map { try $0.finish() }
        #expect(outcomes.allSatisfy { $0.exitCode == 1 && $0.text == "quit=1\n" }, "\(outcomes.map(\.description))")
        #expect(try Self.visits(sandbox) == 1)

        // Nor does one that comes later: one error, one hint.
        let later = try world.gitCredential("get", Self.host)
        #expect(later.exitCode == 1 && later.text == "quit=1\n", "\(later)")
        let lines = later.errors.split(separator: "\n")
        #expect(lines.count == 2, "\(later)")
        #expect(lines.first?.hasPrefix("git-credential-mojoauth: error: ") == true, "\(later)")
        #expect(lines.last?.hasPrefix("git-credential-mojoauth: hint: ") == true, "\(later)")
        #expect(later.errors.contains("abandoned"), "\(later)")
        #expect(try Self.visits(sandbox) == 1)

        // A person who asks for it gets it at once, and then so do the helpers.
        try sandbox.stopFault("deny")
        #expect(try world.run("mojoauth-credential", ["login"]).exitCode == 0)
        #expect(try world.gitCredential("get", Self.host).attributes["password"] != nil)
        #expect(try world.run("mojoauth-credential", ["logout"]).exitCode == 0)
        #expect(try world.gitCredential("get", Self.host).attributes["password"] != nil)
    }

    /// By hand, with git's request on standard input, it is as with the helper.
    @Test func fiveGetsAtOnceOpenOneBrowser() throws {
        let (world, sandbox) = try Self.world()
        let running = try (0..<5).map { _ in
            try world.start("mojoauth-credential", ["get"], input: World.gitRequest(Self.host))
        }
        let outcomes = try running.map { try $0.finish() }
        #expect(outcomes.allSatisfy { $0.exitCode == 0 }, "\(outcomes.map(\.description))")
        #expect(Set(outcomes.map { $0.attributes["password"] }).count == 1)
        #expect(outcomes.first?.attributes["password"]?.isEmpty == false)
        #expect(try Self.visits(sandbox) == 1)
        #expect(try sandbox.tokenRequests("authorization_code") == 1)
    }

    @Test func fiveGetsThatOnePersonDeniesOpenOneBrowser() throws {
        let (world, sandbox) = try Self.world()
        try sandbox.startFault("deny")
        let running = try (0..<5).map { _ in
            try world.start("mojoauth-credential", ["get"], input: World.gitRequest(Self.host))
        }
        let outcomes = try running.map { try $0.finish() }
        #expect(outcomes.allSatisfy { $0.text == "quit=1\n" }, "\(outcomes.map(\.description))")
        // The one that asked was denied; the others were told of it.
        #expect(outcomes.map(\.exitCode).sorted() == [77, 77, 77, 77, 130], "\(outcomes.map(\.description))")
        #expect(try Self.visits(sandbox) == 1)
    }

    /// A script that asks for a token gets an exit code, not a browser.
    @Test(arguments: [[], ["--profile", "default"], [Self.host]]) func getWithoutARequestOpensNone(
        _ words: [String]
    ) throws {
        let (world, sandbox) = try Self.world()
        let outcome = try world.run("mojoauth-credential", ["get"] + words)
        #expect(outcome.exitCode == 77 && outcome.output.isEmpty, "\(outcome)")
        #expect(try Self.visits(sandbox) == 0)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var host: [String: String] = [:]
        var environment: [String: String?] = [:]
        var gitSetting: String?
        var opens: Bool
        var testDescription: String { name }
    }

    /// What the policy is told really reaches it: from the environment, from git's configuration, from the entry.
    @Test(arguments: [
        Row(name: "a desktop", opens: true),
        Row(name: "neither desktop nor terminal", environment: ["DISPLAY": String?.none], opens: false),
        Row(name: "an empty DISPLAY", environment: ["DISPLAY": ""], opens: false),
        Row(name: "interactive=never", host: ["interactive": "never"], opens: false),
        Row(name: "GCM_INTERACTIVE=never", environment: ["GCM_INTERACTIVE": "never"], opens: false),
        Row(name: "credential.interactive=never", gitSetting: "never", opens: false),
        Row(name: "credential.interactive=false", gitSetting: "false", opens: false),
        Row(name: "credential.interactive=auto", gitSetting: "auto", opens: true),
        Row(
            name: "credential.interactive=false through git's environment",
            environment: [
                "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "credential.interactive", "GIT_CONFIG_VALUE_0": "false",
            ], opens: false),
    ]) func opensABrowserOnlyWhereItMay(_ row: Row) throws {
        let (world, sandbox) = try Self.world(host: row.host)
        if let setting = row.gitSetting {
            try world.run(.git, ["config", "--global", "credential.interactive", setting])
        }
        // No terminal either: a session of its own.
        let outcome = try world.run(
            "setsid", ["--wait", "git-credential-mojoauth", "get"], input: World.gitRequest(Self.host),
            environment: row.environment)
        #expect(try Self.visits(sandbox) == (row.opens ? 1 : 0), "\(outcome)")
        if row.opens {
            #expect(outcome.attributes["password"] != nil, "\(outcome)")
        } else {
            #expect(outcome.exitCode == 1 && outcome.text == "quit=1\n", "\(outcome)")
            #expect(outcome.errors.split(separator: "\n").count == 2, "\(outcome)")
        }
    }

    @Test(arguments: [nil, "auto"] as [String?]) func dockerOpensOneOnlyIfTheEntrySaysSo(_ interactive: String?) throws
    {
        let (world, sandbox) = try Self.world(host: interactive.map { ["interactive": $0] } ?? [:])
        let outcome = try world.dockerCredential("get", "git.example.com")
        #expect(outcome.exitCode == (interactive == nil ? 1 : 0), "\(outcome)")
        #expect(try Self.visits(sandbox) == (interactive == nil ? 0 : 1))
        if interactive == nil {
            #expect(
                outcome.text.contains("not logged in") && outcome.text.split(separator: "\n").count == 1, "\(outcome)")
            #expect(!outcome.text.contains("credentials not found"))
        }
    }
}
