import TestSupport
import Testing

/// The literal `credential.helper = mojoauth` for every host, alone and beside other helpers. git gives what it was
/// given to `store` of each of them: here is where our token then is.
@Suite(.serialized, .clients) struct GlobalHelperTests {
    enum Companion: String, CaseIterable, Sendable {
        case store, cache
        case oauth = "oauth"
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var git: GitClient
        var companion: Companion
        var comesFirst: Bool
        var testDescription: String { "\(git.rawValue) git, \(companion) \(comesFirst ? "before" : "behind") ours" }

        /// git 2.46 and newer get the token as an ephemeral Bearer credential, which no helper keeps.
        var keepsToken: Bool { companion != .oauth && !git.knowsAuthtype }
    }

    private static let rows = GitClient.allCases.flatMap { git in
        Companion.allCases.flatMap { companion in
            [false, true].map { Row(git: git, companion: companion, comesFirst: $0) }
        }
    }

    private static func setHelpers(_ helpers: [String], in world: World) throws {
        try world.run(.git, ["config", "--global", "--unset-all", "credential.helper"])
        for helper in helpers { try world.run(.git, ["config", "--global", "--add", "credential.helper", helper]) }
    }

    /// What the other helper has for the host, asked as git asks it.
    private static func kept(by companion: Companion, _ row: Row, in setting: GitWorld) throws -> String? {
        if companion == .store {
            // In clear, for whoever reads the file.
            guard let file = try? setting.world.scratch.read("home/.git-credentials") else { return nil }
            return file.firstMatch(of: /:\/\/oauth2:([^@]+)@/).map { String($0.1) }
        }
        let request = World.gitRequest(setting.server.origin)
        if companion == .oauth {
            _ = try Tool.gitCredentialOAuth.path()
            return try setting.world.run("git-credential-oauth", ["get"], input: request).attributes["password"]
        }
        let answer = try row.git.run(["credential-cache", "get"], in: setting.world, input: request)
        return answer.attributes["password"] ?? answer.attributes["credential"]
    }

    @Test(arguments: rows) func tokenIsKeptOnlyByWhatAnOldGitTells(_ row: Row) throws {
        let setting = try GitWorld()
        let world = setting.world
        defer { _ = try? row.git.run(["credential-cache", "exit"], in: world) }
        let other = row.companion.rawValue
        try Self.setHelpers(row.comesFirst ? [other, "mojoauth"] : ["mojoauth", other], in: world)
        let token = try setting.token()
        let clone = try row.git.clone(setting.url, into: "one", in: world)
        #expect(clone.exitCode == 0, "\(clone)\n\(setting.server.log)")
        #expect(try row.git.push("one", file: "NEWS", in: world).exitCode == 0)
        #expect(try Self.kept(by: row.companion, row, in: setting) == (row.keepsToken ? token : nil))
        // Ours keeps it once, as ever.
        #expect(try world.items([:]).count == 1)

        // After the logout ours stops git. A helper that comes first and kept the token still hands it out.
        #expect(try world.run("mojoauth-credential", ["logout"]).exitCode == 0)
        let after = try row.git.clone(setting.url, into: "two", in: world)
        #expect(after.exitCode == (row.keepsToken && row.comesFirst ? 0 : 128), "\(after)\n\(setting.server.log)")
    }

    /// What `configure git` writes: the others are neither asked nor told.
    @Test(arguments: GitClient.allCases) func configuredHostIsOutOfTheirReach(_ git: GitClient) throws {
        let setting = try GitWorld()
        let world = setting.world
        try Self.setHelpers(["store", "mojoauth", "store"], in: world)
        let configured = try world.run(
            "mojoauth-credential", ["configure", "git", "--allow-insecure", setting.server.origin])
        #expect(configured.exitCode == 0, "\(configured)")
        #expect(try git.clone(setting.url, into: "one", in: world).exitCode == 0)
        #expect(throws: (any Error).self) { try world.scratch.read("home/.git-credentials") }
    }

    @Test(arguments: GitClient.allCases) func aloneItKeepsTheTokenInTheKeyringOnly(_ git: GitClient) throws {
        let setting = try GitWorld()
        let world = setting.world
        let list = try world.run(.git, ["config", "--global", "--get-all", "credential.helper"])
        #expect(list.text == "mojoauth\n")
        #expect(try git.clone(setting.url, into: "one", in: world).exitCode == 0)
        #expect(try world.items([:]).count == 1)
        #expect(throws: (any Error).self) { try world.scratch.read("home/.git-credentials") }
        #expect(try world.run("grep", ["-rl", try setting.token(), world.scratch.path("home")]).text.isEmpty)
    }
}
