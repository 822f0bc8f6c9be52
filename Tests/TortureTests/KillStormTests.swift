import Foundation
import OpenIDConnect
import Program
import TestSupport
import Testing

/// Commands that are killed with SIGKILL at moments nobody chose; the moments are the same at every run.
@Suite(.serialized) struct KillStormTests {
    /// What a storm found.
    private struct Count {
        /// Runs, those that ended before they were killed among them.
        var runs = 0
        /// Runs that the signal ended.
        var kills = 0
        /// Logins of no more use, although nothing that cannot be helped explains it.
        var lost = 0
        /// The issuer had rotated, and nothing was stored yet.
        var inWindow = 0
        /// Seconds that the command after a killed one took.
        var longest = 0.0
        var words: [String] = []
    }

    /// Seconds that a command takes when nobody kills it.
    private func length(of arguments: [String], _ stage: Stage) throws -> Double {
        let lengths = try (0..<5).map { _ in
            let outcome = try stage.world.run("mojoauth-credential", arguments)
            try #require(outcome.exitCode == 0, "\(outcome)")
            return outcome.seconds
        }
        return lengths.sorted()[2]
    }

    /// Starts a command and kills it after a part of its length; sometimes it comes to its end, and does not count.
    private func strike(
        _ arguments: [String], _ length: Double, _ stage: Stage, _ random: inout SystemOfMoments, _ count: inout Count
    ) throws {
        let before = try stage.decodedState()
        let running = try stage.world.start("mojoauth-credential", arguments)
        usleep(UInt32(random.next(below: length * 1.1) * 1e6))
        running.child.signal(SIGKILL)
        let outcome = try running.finish(within: 10)
        count.runs += 1
        if outcome.exitCode == 128 + SIGKILL { count.kills += 1 }
        count.words += [outcome.errors, outcome.text]
        // The one before, or its successor: whole either way, and nothing of both.
        let after = try stage.decodedState()
        let isNew = after.refreshToken != before.refreshToken
        let hasNewToken = after.storedAccessToken != before.storedAccessToken
        #expect(after.refreshToken != nil && after.storedAccessToken != nil && after.storedIDToken != nil)
        #expect(isNew == hasNewToken && after.authorizationError == nil, "the login is half one and half another")
        try #require(count.runs < 3 * (count.kills + 10), "it ends before it can be killed")
    }

    private func add(_ fault: String, _ operations: String, _ count: Count, _ stage: Stage) throws {
        let leaked = try stage.leaks(in: count.words)
        TortureTable.shared.add(
            .init(
                fault: fault, operations: operations, runs: count.kills, longest: count.longest, lost: count.lost,
                leaked: leaked.count))
        #expect(count.lost == 0 && leaked.isEmpty, "\(leaked)")
    }

    /// With a grace period for the token before, whatever is killed, nothing is lost.
    @Test func refreshWithAGracePeriod() throws {
        let stage = try Stage(["--grace", "3600"])
        let length = try length(of: ["refresh"], stage)
        var random = SystemOfMoments(seed: 1)
        var count = Count()
        while count.kills < TortureTable.runs(200, short: 20) {
            try strike(["refresh"], length, stage, &random, &count)
            let next = try stage.world.run("mojoauth-credential", ["refresh"])
            count.longest = max(count.longest, next.seconds)
            if next.exitCode != 0 { count.lost += 1 }
        }
        try add("killed at random, grace period", "refresh", count, stage)
        #expect(try stage.sandbox.requests().count { $0.status == 400 } == 0)
    }

    /// Without one there is a window that nobody can close: the issuer has rotated, and nothing is stored yet. A run
    /// that falls into it costs the login and is counted; any other loss is a fault.
    @Test func refreshWithoutAGracePeriod() throws {
        let stage = try Stage()
        let length = try length(of: ["refresh"], stage)
        var random = SystemOfMoments(seed: 2)
        var count = Count()
        while count.kills < TortureTable.runs(200, short: 20) {
            let (old, rotations) = (try stage.state()["refresh_token"] as? String, try stage.sandbox.rotations())
            try strike(["refresh"], length, stage, &random, &count)
            let stored = try stage.state()["refresh_token"] as? String
            let next = try stage.world.run("mojoauth-credential", ["refresh"])
            count.longest = max(count.longest, next.seconds)
            guard next.exitCode != 0 else { continue }
            // Asked last: the issuer may have answered a request whose sender was gone already.
            let isWindow = try stored == old && stage.sandbox.rotations() == rotations + 1
            if isWindow { count.inWindow += 1 } else { count.lost += 1 }
            #expect(next.exitCode == 77, "\(next)")
            try stage.logIn()
        }
        let share = Double(count.inWindow) / Double(count.runs)
        let milliseconds = String(format: "%.1f", share * length * 1.1 * 1000)
        try add("killed at random (window: \(count.inWindow) hits, \(milliseconds) ms)", "refresh", count, stage)
        // Of two hundred a fifth; of twenty a half, since of so few a fifth falls into it by chance once in ten times.
        #expect(count.inWindow <= TortureTable.runs(39, short: 10), "the window is \(milliseconds) ms wide")
    }

    /// A login that is killed leaves the one before it, or is there whole.
    @Test func login() throws {
        let stage = try Stage()
        let length = try length(of: ["login"], stage)
        var random = SystemOfMoments(seed: 3)
        var count = Count()
        while count.kills < TortureTable.runs(150, short: 20) {
            try strike(["login"], length, stage, &random, &count)
            let next = try stage.world.run("mojoauth-credential", ["refresh"])
            count.longest = max(count.longest, next.seconds)
            if next.exitCode != 0 {
                count.lost += 1
                try stage.logIn()
            }
        }
        #expect(try stage.world.items(["application": "mojoauth-credential"]).count == 1)
        try add("killed at random", "login", count, stage)
    }
}

/// The same moments at every run: SplitMix64.
private struct SystemOfMoments {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next(below limit: Double) -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53) * limit
    }
}

extension Sandbox {
    /// Refreshes that the issuer granted.
    fileprivate func rotations() throws -> Int {
        try requests().count { $0.grantType == "refresh_token" && $0.status == 200 }
    }
}
