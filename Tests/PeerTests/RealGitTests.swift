import TestSupport
import Testing

/// Debian's git and a current one, at a server that verifies our token by the issuer's key set.
@Suite(.serialized, .clients) struct RealGitTests {
    @Test(arguments: GitClient.allCases) func clonesAndPushes(_ git: GitClient) throws {
        let setting = try GitWorld()
        let world = setting.world
        let clone = try git.clone(setting.url, into: "one", in: world)
        #expect(clone.exitCode == 0, "\(clone)\n\(setting.server.log)")
        #expect(try world.scratch.read("one/README") == "hello\n")
        let push = try git.push("one", file: "NEWS", in: world)
        #expect(push.exitCode == 0, "\(push)\n\(setting.server.log)")
        #expect(try git.clone(setting.url, into: "two", in: world).exitCode == 0)
        #expect(try world.scratch.read("two/NEWS") == "NEWS\n")
        // One item: what git stores after each success is our own token, and not kept again.
        #expect(try world.items([:]).count == 1)
    }

    /// Basic where git knows no more, else Bearer: seen on the way to the server.
    @Test(arguments: GitClient.allCases) func sendsTheTokenAsItCan(_ git: GitClient) throws {
        let setting = try GitWorld()
        let outcome = try git.run(
            ["ls-remote", setting.url], in: setting.world,
            environment: ["GIT_TRACE_CURL": "1", "GIT_TRACE_CURL_NO_DATA": "1"])
        #expect(outcome.exitCode == 0, "\(outcome)")
        // git writes the scheme and hides the rest.
        #expect(outcome.errors.contains("Authorization: \(git.knowsAuthtype ? "Bearer" : "Basic") "), "\(outcome)")
    }

    @Test(arguments: GitClient.allCases) func tokenThatExpiresBetweenTwoCommandsIsRenewed(_ git: GitClient) throws {
        let setting = try GitWorld(["--access-lifetime", "6"], profile: ["min-lifetime": "5"])
        let world = setting.world
        #expect(try git.clone(setting.url, into: "one", in: world).exitCode == 0)
        let refreshes = try setting.sandbox.refreshes()
        // The passing of time itself: until the token has expired.
        try world.run("sleep", ["6.1"])
        let push = try git.push("one", file: "NEWS", in: world)
        #expect(push.exitCode == 0, "\(push)\n\(setting.server.log)")
        #expect(!push.errors.contains("error:"), "\(push)")
        #expect(try setting.sandbox.refreshes() == refreshes + 1)
    }

    @Test(arguments: ["clone", "push"]) func refusedTokenHealsInsideTheSameCommandOfACurrentGit(
        _ command: String
    ) throws {
        let setting = try GitWorld()
        let git = GitClient.current
        if command == "push" { #expect(try git.clone(setting.url, into: "one", in: setting.world).exitCode == 0) }
        try setting.refuseToken()
        let refused = setting.server.refusedRequests
        let outcome =
            command == "push"
            ? try git.push("one", file: "NEWS", in: setting.world)
            : try git.clone(setting.url, into: "one", in: setting.world)
        #expect(outcome.exitCode == 0, "\(outcome)\n\(setting.server.log)")
        #expect(!outcome.errors.contains("error:"), "\(outcome)")
        #expect(try setting.sandbox.refreshes() == 1)
        // Once without a credential, once with the refused one.
        #expect(setting.server.refusedRequests == refused + 2, "\(setting.server.log)")
    }

    @Test func refusedTokenHealsAtTheNextCommandOfAnOldGit() throws {
        let setting = try GitWorld()
        let git = GitClient.debian
        try setting.refuseToken()
        let refused = try git.clone(setting.url, into: "one", in: setting.world)
        #expect(refused.exitCode == 128, "\(refused)")
        #expect(try setting.sandbox.refreshes() == 0)
        let clone = try git.clone(setting.url, into: "one", in: setting.world)
        #expect(clone.exitCode == 0, "\(clone)\n\(setting.server.log)")
        #expect(try setting.sandbox.refreshes() == 1)
    }

    /// The host refuses whatever the issuer makes: one refresh, one error that names the host, and no more requests
    /// however often git is run again.
    @Test(arguments: GitClient.allCases) func freshTokenThatIsRefusedTooEndsInOneError(_ git: GitClient) throws {
        let setting = try GitWorld()
        try setting.refuseEveryToken()
        var outcomes: [Outcome] = []
        for count in 1...4 { outcomes.append(try git.clone(setting.url, into: "\(count)", in: setting.world)) }
        #expect(outcomes.allSatisfy { $0.exitCode == 128 }, "\(outcomes)")
        #expect(try setting.sandbox.refreshes() == 1, "\(outcomes.map(\.description))")
        for outcome in outcomes.dropFirst(git.knowsAuthtype ? 0 : 1) {
            let lines = outcome.errors.split(separator: "\n").filter { $0.contains("error: ") }
            #expect(lines.count == 1, "\(outcome)")
            #expect(
                lines.first?.hasPrefix("git-credential-mojoauth: error: \(setting.server.origin) refuses the token")
                    == true,
                "\(outcome)")
            #expect(outcome.errors.contains("git-credential-mojoauth: hint: "), "\(outcome)")
        }
    }
}
