import Foundation
import Program
import TestSupport
import Testing

/// Many processes at once, and the ends that they come to: one of them does the work, and no work is lost.
@Suite(.serialized) struct ProcessTests {
    private static let crowd = 64

    /// Waits until the issuer has seen a request.
    static func wait(
        for stage: Stage, since before: Int = 0, _ isThere: (Sandbox.Request) -> Bool
    ) throws {
        let deadline = Clock.monotonic() + 20
        while try !stage.sandbox.requests().dropFirst(before).contains(where: isThere) {
            try #require(Clock.monotonic() < deadline, "the issuer was not asked")
            usleep(1000)
        }
    }

    private func finish(_ running: [Execution]) throws -> [Outcome] { try running.map { try $0.finish() } }

    /// What holds no password is for nobody's hands.
    private func isAnswer(_ outcome: Outcome) -> Bool { outcome.attributes["password"] != nil }

    /// - Parameter isRight: whether that is what the caller should get.
    private func add(
        _ fault: String, _ operations: String, _ stage: Stage, _ outcomes: [Outcome], isRight: (Outcome) -> Bool
    ) throws {
        let (answers, others) = (outcomes.filter(isAnswer), outcomes.filter { !isAnswer($0) })
        let leaked = try stage.leaks(
            in: outcomes.map(\.errors) + others.map(\.text),
            answers: answers.map { Answer($0.text, asked: ["access_token"]) })
        let row = TortureTable.Row(
            fault: fault, operations: operations, runs: outcomes.count,
            longest: outcomes.map(\.seconds).max() ?? 0, lost: outcomes.count { !isRight($0) }, leaked: leaked.count)
        TortureTable.shared.add(row)
        #expect(row.lost == 0, "\(outcomes.filter { !isRight($0) }.map(\.description))")
        #expect(leaked.isEmpty, "\(leaked)")
    }

    @Test func crowdAtAStaleToken() throws {
        let stage = try Stage()
        try stage.rejectToken()
        let outcomes = try finish((0..<Self.crowd).map { _ in try stage.startGet() })
        let token = try stage.state()["access_token"] as? String
        #expect(try stage.sandbox.refreshes() == 1)
        try add("64 at once, stale token", "git get", stage, outcomes) {
            $0.exitCode == 0 && $0.errors.isEmpty && $0.attributes["password"] == token
        }
    }

    @Test func crowdWithoutALoginAndAPersonPresent() throws {
        let stage = try Stage(isSignedIn: false)
        let outcomes = try finish(
            (0..<Self.crowd).map { _ in try stage.startGet(environment: ["DISPLAY": ":0"]) })
        let token = try stage.state()["access_token"] as? String
        #expect(try stage.sandbox.requests().count { $0.path.hasPrefix("/oauth/authorize") } == 1)
        #expect(try stage.sandbox.tokenRequests("authorization_code") == 1)
        try add("64 at once, no login, a person there", "git get", stage, outcomes) {
            $0.exitCode == 0 && $0.attributes["password"] == token
        }
    }

    @Test func crowdWithOtherVariables() throws {
        let stage = try Stage()
        try stage.rejectToken()
        let elsewhere = try stage.world.scratch.folder("elsewhere")
        let outcomes = try finish(
            (0..<Self.crowd).map { number in
                var changes: [String: String?] = ["MOJOAUTH_CONFIG": stage.world.configurationFile]
                for (bit, name) in ["HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TMPDIR", "XDG_DATA_HOME"].enumerated()
                where number & 1 << bit != 0 {
                    changes[name] = elsewhere
                }
                return try stage.startGet(environment: changes)
            })
        let token = try stage.state()["access_token"] as? String
        #expect(try stage.sandbox.refreshes() == 1)
        try add("64 at once, HOME, TMPDIR and XDG differ", "git get", stage, outcomes) {
            $0.exitCode == 0 && $0.errors.isEmpty && $0.attributes["password"] == token
        }
    }

    /// Two profiles have two locks: each is renewed once, and neither waits for the other.
    @Test func crowdOfTwoProfiles() throws {
        let stage = try Stage()
        let other = "https://other.example.com"
        let configuration = try String(contentsOfFile: stage.world.configurationFile, encoding: .utf8)
        let profile = try #require(configuration.split(separator: "\n\n").first { $0.hasPrefix("[profile default]") })
        try stage.world.writeConfiguration(
            configuration + profile.replacing("[profile default]", with: "[profile work]")
                + "\n[host other]\nurl=\(other)\nprofile=work\n")
        #expect(try stage.world.run("mojoauth-credential", ["login", "--profile", "work"]).exitCode == 0)
        try stage.rejectToken()
        let token = try #require(try stage.state(profile: "work")["access_token"] as? String)
        _ = try stage.world.gitCredential("erase", other, ["username": "oauth2", "password": token])
        let outcomes = try finish(
            (0..<Self.crowd).map { try stage.startGet($0.isMultiple(of: 2) ? Stage.host : other) })
        let tokens = try ["default", "work"].map { profile in
            try #require(try stage.state(profile: profile)["access_token"] as? String)
        }
        #expect(tokens[0] != tokens[1] && !tokens.contains(token))
        #expect(try stage.sandbox.refreshes() == 2)
        // Each profile's own, not the other's.
        let given = outcomes.enumerated().map { $1.attributes["password"] == tokens[$0 % 2] }
        #expect(given.allSatisfy { $0 }, "\(given)")
        try add("64 at once, two profiles", "git get", stage, outcomes) {
            $0.exitCode == 0 && $0.errors.isEmpty && tokens.contains($0.attributes["password"] ?? "")
        }
    }

    /// The kernel lets go of a lock whose holder is killed; whoever waits goes on at once.
    @Test func holderIsKilledWhileOthersWait() throws {
        let stage = try Stage(["--grace", "3600"])
        try stage.rejectToken()
        try stage.sandbox.startFault("slow-token=20")
        let before = try stage.sandbox.requests().count
        let holder = try stage.world.start("mojoauth-credential", ["refresh"])
        try Self.wait(for: stage, since: before) { $0.path.hasSuffix("jwks.json") }
        let waiting = try (0..<8).map { _ in try stage.startGet() }
        for get in waiting { try Waiter.wait(forChildOf: get.child.pid) }
        try stage.sandbox.stopFault("slow-token")
        // The holder's own request is there, and none of theirs.
        #expect(try stage.sandbox.requests().dropFirst(before).count { $0.path.hasSuffix("/token") } <= 1)
        let refreshes = try stage.sandbox.refreshes()
        let killed = Clock.monotonic()
        holder.child.signal(SIGKILL)
        let outcomes = try finish(waiting)
        #expect(Clock.monotonic() - killed < 1, "the lock was not let go")
        let token = try stage.state()["access_token"] as? String
        // Of the eight one renews; the request of the killed one may have come to its end meanwhile.
        let after = try stage.sandbox.refreshes()
        #expect(after - refreshes == 1 || after - refreshes == 2, "\(after - refreshes) token requests")
        try add("holder of the lock killed", "git get", stage, outcomes) {
            $0.exitCode == 0 && $0.errors.isEmpty && $0.attributes["password"] == token
        }
    }

    /// The lock is a user's own: one who holds it for ever keeps nobody else waiting.
    @Test func twoUsers() throws {
        let stage = try Stage(["--grace", "3600"])
        let second = try SecondUser(stage)
        try stage.rejectToken()
        try stage.sandbox.startFault("slow-token=5")
        let before = try stage.sandbox.requests().count
        let holder = try stage.world.start("mojoauth-credential", ["refresh"])
        try Self.wait(for: stage, since: before) { $0.path.hasSuffix("jwks.json") }
        holder.child.signal(SIGSTOP)
        try stage.sandbox.stopFault("slow-token")
        let waiting = try stage.startGet()
        let began = Clock.monotonic()
        let theirs = try second.renew()
        #expect(Clock.monotonic() - began < 5)
        #expect(waiting.child.isRunning, "the lock did not hold")
        holder.child.signal(SIGCONT)
        let mine = try finish([holder, waiting])[1]
        let token = try stage.state()["access_token"] as? String
        #expect(mine.attributes["password"] == token && theirs.attributes["password"] != token)
        try add("two users, one holds its lock", "git get", stage, [mine, theirs]) {
            $0.exitCode == 0 && $0.attributes["password"] != nil
        }
    }

    /// P6: a person takes minutes; whoever has a login goes on renewing it meanwhile.
    @Test func loginThatWaitsHoldsNoRefreshLock() throws {
        let stage = try Stage()
        let browser = try stage.stubBrowser()
        let login = try stage.world.start("mojoauth-credential", ["login"])
        _ = try browser.url()
        try stage.rejectToken()
        let before = try stage.sandbox.requests().count
        let refresh = try stage.world.start("mojoauth-credential", ["refresh"])
        // It has the lock, so that what the get hands out is what it renews.
        try Self.wait(for: stage, since: before) { $0.path.hasSuffix("jwks.json") }
        let outcomes = try finish([refresh, stage.startGet()])
        #expect(login.child.isRunning)
        #expect(try stage.sandbox.refreshes() >= 1)
        let token = try stage.state()["access_token"] as? String
        #expect(outcomes.allSatisfy { $0.seconds < 5 } && outcomes[1].attributes["password"] == token)
        try add("a login waits for its browser", "refresh, git get", stage, outcomes) {
            $0.exitCode == 0 && $0.errors.isEmpty
        }
        login.child.signal(SIGTERM)
        _ = try login.finish(within: 10)
    }

    /// Ctrl-C strikes git and its helper; the child that renews has a session of its own.
    @Test func interruptInTheMiddleOfARefresh() throws {
        let stage = try Stage()
        let server = try GitServer(in: stage.world, keySet: stage.sandbox.keySet)
        try stage.world.configure(stage.sandbox, hosts: [server.origin: [:], Stage.host: [:]])
        try stage.world.useHelperForGit()
        let url = try server.makeRepository("project")
        try #require(try stage.world.clone(url, into: "work").exitCode == 0)
        var (longest, lost, words) = (0.0, 0, [String]())
        let runs = TortureTable.runs(10, short: 2)
        for _ in 0..<runs {
            // A token that came for a refused one is not replaced again at once.
            let refreshed = try stage.world.run("mojoauth-credential", ["refresh"])
            try #require(refreshed.exitCode == 0, "\(refreshed)")
            try stage.rejectToken()
            let old = try stage.state()["access_token"] as? String
            try stage.sandbox.startFault("slow-token=2")
            let before = try stage.sandbox.requests().count
            let fetch = try stage.world.start("git", ["-C", stage.world.scratch.path("work"), "fetch"])
            try Self.wait(for: stage, since: before) { $0.path.hasSuffix("jwks.json") }
            // It leads a session of its own, so its number is that of its process group: what a terminal would strike.
            kill(-fetch.child.pid, SIGINT)
            let interrupted = try fetch.finish(within: 10)
            #expect(interrupted.exitCode == 128 + SIGINT, "\(interrupted)")
            longest = max(longest, interrupted.seconds)
            try Self.wait(for: stage, since: before) { $0.grantType == "refresh_token" && $0.status == 200 }
            try stage.sandbox.stopFault("slow-token")
            // Whoever comes next waits for the child, and asks the issuer for nothing.
            let refreshes = try stage.sandbox.refreshes()
            let next = try stage.world.run("git", ["-C", stage.world.scratch.path("work"), "fetch"])
            let new = try stage.state()["access_token"] as? String
            if next.exitCode != 0 || new == old || new == nil { lost += 1 }
            #expect(try stage.sandbox.refreshes() == refreshes)
            // What git shows is no answer of ours: nothing may be in it.
            words += [refreshed, interrupted, next].flatMap { [$0.errors, $0.text] }
        }
        let leaked = try stage.leaks(in: words)
        TortureTable.shared.add(
            .init(
                fault: "Ctrl-C in the middle of a refresh", operations: "git fetch", runs: runs, longest: longest,
                lost: lost, leaked: leaked.count))
        #expect(lost == 0 && leaked.isEmpty, "\(leaked)")
    }
}
