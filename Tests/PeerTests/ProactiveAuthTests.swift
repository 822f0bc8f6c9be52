import TestSupport
import Testing

/// `configure git` lets a git that can do so send the token with its first request.
@Suite(.serialized, .clients) struct ProactiveAuthTests {
    /// With this git as the one that a person has.
    private static func configure(_ words: [String], _ git: GitClient, in setting: GitWorld) throws -> Outcome {
        let world = setting.world
        let path = world.environment["PATH"] ?? ""
        let changes = git == .current ? ["PATH": "\(try GitClient.currentFolder())/bin:\(path)"] : [:]
        return try world.run("mojoauth-credential", words + [setting.server.origin], environment: changes)
    }

    private static let configureGit = ["configure", "git", "--allow-insecure"]
    private static let unconfigureGit = ["unconfigure", "git"]

    private static func value(_ setting: GitWorld) throws -> String {
        try setting.world.run(
            .git, ["config", "--global", "--get-all", "http.\(setting.server.origin).proactiveAuth"]
        ).text
    }

    /// Requests of one command.
    private static func requests(_ setting: GitWorld, _ run: () throws -> Outcome) throws -> (all: Int, refused: Int) {
        let before = (setting.server.requests, setting.server.refusedRequests)
        let outcome = try run()
        #expect(outcome.exitCode == 0, "\(outcome)\n\(setting.server.log)")
        return (setting.server.requests - before.0, setting.server.refusedRequests - before.1)
    }

    @Test func currentGitMakesOneRequestFewer() throws {
        let setting = try GitWorld()
        let (world, git) = (setting.world, GitClient.current)
        var counts: [(all: Int, refused: Int)] = []
        for (index, isProactive) in [false, true].enumerated() {
            if isProactive {
                let configured = try Self.configure(Self.configureGit, git, in: setting)
                #expect(configured.errors.contains("proactiveAuth to \"auto\""), "\(configured)")
                #expect(try Self.value(setting) == "auto\n")
            }
            let name = "clone\(index)"
            counts.append(try Self.requests(setting) { try git.clone(setting.url, into: name, in: world) })
            counts.append(try Self.requests(setting) { try git.fetch(name, in: world) })
            counts.append(try Self.requests(setting) { try git.push(name, file: "NEWS\(index)", in: world) })
        }
        print(
            "requests of clone, fetch and push: \(counts[..<3].map(\.all)), with proactiveAuth \(counts[3...].map(\.all))"
        )
        for (without, with) in zip(counts[..<3], counts[3...]) {
            #expect(without.refused == 1 && with.refused == 0)
            #expect(with.all == without.all - 1)
        }

        let undone = try Self.configure(Self.unconfigureGit, git, in: setting)
        #expect(undone.errors.contains("proactiveAuth"), "\(undone)")
        #expect(try Self.value(setting).isEmpty)
    }

    /// Nothing is lost: a token that is refused still heals inside the same command.
    @Test func refusedTokenStillHeals() throws {
        let setting = try GitWorld()
        #expect(try Self.configure(Self.configureGit, .current, in: setting).exitCode == 0)
        try setting.refuseToken()
        let clone = try GitClient.current.clone(setting.url, into: "one", in: setting.world)
        #expect(clone.exitCode == 0, "\(clone)\n\(setting.server.log)")
        #expect(try setting.sandbox.refreshes() == 1)
    }

    @Test func anOlderGitIsNotToldOfIt() throws {
        let setting = try GitWorld()
        #expect(try Self.configure(Self.configureGit, .debian, in: setting).exitCode == 0)
        #expect(try Self.value(setting).isEmpty)
        #expect(try GitClient.debian.clone(setting.url, into: "one", in: setting.world).exitCode == 0)
    }

    @Test(arguments: ["basic", "none", "auto\nbasic"]) func whatAPersonHasSetStays(_ values: String) throws {
        let setting = try GitWorld()
        let key = "http.\(setting.server.origin).proactiveAuth"
        for value in values.split(separator: "\n") {
            try setting.world.run(.git, ["config", "--global", "--add", key, String(value)])
        }
        #expect(try Self.configure(Self.configureGit, .current, in: setting).exitCode == 0)
        #expect(try Self.value(setting) == values + "\n")
        #expect(try Self.configure(Self.unconfigureGit, .current, in: setting).exitCode == 0)
        #expect(try Self.value(setting) == values + "\n")
    }

    /// What `git version` may say.
    @Test(arguments: [
        ("git version 2.46.0", true), ("git version 2.46.GIT", true), ("git version 2.55.0-1", true),
        ("git version 2.47.1.windows.1", true), ("git version 3.0", true), ("git version 10.2.1", true),
        ("git version 2.46 (Apple Git-154)", true), ("git version 2.45.9", false), ("git version 2.39.5", false),
        ("git version 1.99", false), ("git version 2", false), ("git version", false), ("", false),
        ("git version two.46", false), ("git version 2.x", false), ("git version .46", false),
        ("git version 99999999999999999999.1", false), ("git version -3.1", false),
    ]) func versionsAreRead(_ said: String, _ knows: Bool) throws {
        let world = try World(.noBus)
        try world.writeConfiguration("[profile default]\nissuer=https://acme.example\nclient-id=cli\n")
        let real = try Tool.git.path()
        try world.scratch.folder("fake", mode: 0o755)
        try world.scratch.write(
            "#!/bin/sh\nif [ \"$1\" = version ]; then echo '\(said)'; else exec \(real) \"$@\"; fi\n", to: "fake/git",
            mode: 0o755)
        let path = "\(world.scratch.path("fake")):\(world.environment["PATH"] ?? "")"
        let outcome = try world.run(
            "mojoauth-credential", ["configure", "git", "https://git.example.com"], environment: ["PATH": path])
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(try world.scratch.read("home/.gitconfig").contains("proactiveAuth = auto") == knows, "\(outcome)")
        let undone = try world.run(
            "mojoauth-credential", ["unconfigure", "git", "https://git.example.com"], environment: ["PATH": path])
        #expect(undone.exitCode == 0, "\(undone)")
        #expect(try world.scratch.read("home/.gitconfig").isEmpty)
    }
}
