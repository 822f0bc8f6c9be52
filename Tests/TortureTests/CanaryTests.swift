import Foundation
import Program
import TestSupport
import Testing

/// Known secrets go through every command, well and under faults, told step by step and not: nobody sees one.
///
/// The issuer notes each code, token, verifier, state and nonce that passes. They are looked for in what the programs
/// say, in every file below home, temporary and runtime folders, in arguments and environments of all processes, in
/// attributes and labels of the keyring's items.
@Suite(.serialized) struct CanaryTests {
    /// The person's password of the keyring, typed at a terminal.
    private func unlock(_ canary: Canary, isVerbose: Bool) throws {
        try canary.stage.world.lockKeyring()
        let terminal = try PseudoTerminal()
        try terminal.start(canary.stage.world, "mojoauth-credential", ["unlock"] + (isVerbose ? ["--verbose"] : []))
        try terminal.wait(for: "Password of the keyring")
        terminal.type(KeyringDaemon.password + "\n")
        #expect(try terminal.finish() == 0, "\(terminal.text)")
        canary.add(terminal.text)
    }

    /// What the programs themselves list as theirs has a row each.
    @Test func everyCommandHasARow() throws {
        let world = try World(.noBus)
        let help = try world.run("mojoauth-credential", ["help"]).text
        let commands = help.matches(of: /\n  ([a-z]+) {2,}/).map { String($0.1) }
        let missing = Set(commands).subtracting(CanaryCommand.all.compactMap(\.command))
        #expect(commands.count > 15 && missing.isEmpty, "no row for \(missing)")
        for command in ["configure", "unconfigure"] {
            let usage = try world.run("mojoauth-credential", [command, "--help"]).text
            let settings = try words(/\] ([a-z|]+)\n/, in: usage).map { "\(command) \($0)" }
            let absent = Set(settings).subtracting(CanaryCommand.all.compactMap(\.setting))
            #expect(settings.count > 10 && absent.isEmpty, "no row for \(absent)")
        }
        let helpers = try words(/mojoauth-helper ([a-z|]+)\ /, in: world.run("mojoauth-helper", []).errors)
        let without = Set(helpers).subtracting(CanaryCommand.all.compactMap(\.helperWord))
        #expect(helpers.count > 8 && without.isEmpty, "no row for \(without)")
    }

    /// The words of `a|b|c`.
    private func words(_ list: Regex<(Substring, Substring)>, in usage: String) throws -> [String] {
        try #require(usage.firstMatch(of: list), "\(usage)").1.split(separator: "|").map(String.init)
    }

    @Test(arguments: [false, true]) func everyCommand(isVerbose: Bool) throws {
        let canary = try Canary()
        for command in CanaryCommand.all { try canary.run(isVerbose ? command.isVerbose : command) }
        try unlock(canary, isVerbose: isVerbose)
        let processes = try canary.finish(isVerbose ? "canary, --verbose" : "canary", "every command")
        // The search would find one: each answer holds what was asked for, and the processes that were seen are ours, the
        // browser's, and those that a helper had started.
        let secrets = try canary.stage.secrets()
        let found = LeakSearch.find(secrets.map(\.value) + [CanaryCommand.typed], inEach: canary.answers.map(\.text))
        #expect(found.count == CanaryCommand.all.count { $0.asked != nil })
        #expect(found.allSatisfy { !$0.isEmpty })
        #expect(processes.contains { $0.text.hasPrefix("mojoauth-credential ") })
        for (parent, child) in [
            ("git-credential-mojoauth get", "mojoauth-credential refresh "),
            ("git-credential-mojoauth get", "mojoauth-credential login "), ("mojoauth-credential login ", "browser"),
        ] {
            let children = processes.filter { $0.parent.hasPrefix(parent) }.map { $0.text.split(separator: "\n") }
            // Its environment, too: a variable that every process of the world has.
            #expect(
                children.contains { $0[0].contains(child) && $0.dropFirst().joined().contains("XDG_RUNTIME_DIR=") },
                "no \(child) below \(parent) was seen")
        }
        let names = Set(secrets.map(\.name))
        #expect(names.isSuperset(of: ["code", "code_verifier", "state", "nonce", "refresh_token", "id_token"]))
        #expect(secrets.contains { $0.value == CanaryCommand.clientSecret })
    }

    /// What every fault of the issuer makes them say.
    @Test func everyFault() throws {
        let listed = try World(.noBus).run("mojoauth-sandbox", ["faults"]).text
        let names = listed.split(separator: "\n").compactMap { $0.firstMatch(of: /^ *([a-z][a-z0-9-]+)/)?.1 }
        let chosen = stride(from: 0, to: names.count, by: TortureTable.runs(1, short: 12)).map { String(names[$0]) }
        #expect(names.count > 100)
        // A stage for each dozen: every secret is looked for in every word, so that the search grows with their product.
        for first in stride(from: 0, to: chosen.count, by: 12) {
            let dozen = chosen[first..<min(first + 12, chosen.count)]
            try run(
                under: dozen,
                "canary, faults \(first + 1) to \(dozen.endIndex) of \(chosen.count), the issuer has \(names.count)")
        }
    }

    private func run(under faults: ArraySlice<String>, _ row: String) throws {
        let canary = try Canary()
        let sandbox = canary.stage.sandbox
        for command in CanaryCommand.first { try canary.run(command.isVerbose) }
        for fault in faults {
            try canary.run(CanaryCommand.refusal)
            for commands in [CanaryCommand.underFault, [CanaryCommand.logoutInBrowser]] {
                try sandbox.startFault(fault)
                for command in commands { try canary.run(command.isVerbose) }
                try sandbox.stopFault(fault)
                try canary.run(CanaryCommand.login.isVerbose)
            }
        }
        try canary.finish(row, "git get, refresh, whoami, login, logout")
    }

    /// A keyring that is locked, stopped or gone is no reason to tell what was to be kept in it.
    @Test func keyringFaults() throws {
        // With it the one refresh that cannot be stored costs nothing.
        let canary = try Canary(["--grace", "3600"])
        let world = canary.stage.world
        for command in CanaryCommand.first { try canary.run(command.isVerbose) }
        func strike() throws {
            let commands =
                ["refresh", "status", "login", "logout", "get"].map { CanaryCommand($0, exitCode: nil).isVerbose } + [
                    CanaryCommand(
                        "git-credential-mojoauth get", exitCode: nil, input: World.gitRequest(Stage.host))
                ]
            let running = try commands.map { try world.start($0.program, $0.arguments, input: $0.input) }
            for (command, execution) in zip(commands, running) {
                let outcome = try execution.finish(within: 30)
                try canary.add(outcome, of: command)
                #expect(outcome.exitCode != 0)
            }
        }
        world.keyring?.freeze()
        try strike()
        world.keyring?.thaw()
        try canary.noteItems()
        // Locked between the issuer's answer and the saving: the token is handed out once, and not told.
        try canary.stage.sandbox.startFault("slow-token=3")
        let before = try canary.stage.sandbox.requests().count
        let refresh = CanaryCommand("refresh", exitCode: 69).isVerbose
        let late = try world.start(refresh.program, refresh.arguments)
        try ProcessTests.wait(for: canary.stage, since: before) { $0.path.hasSuffix("jwks.json") }
        try world.lockKeyring()
        try canary.add(late.finish(within: 20), of: refresh)
        try canary.noteItems()
        try canary.stage.sandbox.stopFault("slow-token")
        world.keyring?.kill()
        try strike()
        try world.startKeyring()
        try canary.run(CanaryCommand("refresh").isVerbose)
        try canary.finish("canary, keyring stopped, locked, killed", "refresh, status, login, logout, get, git get")
    }

    /// A crash writes no memory to the disk, whatever the limit that it was started with.
    @Test func crashLeavesNoCore() throws {
        let stage = try Stage()
        let browser = try stage.stubBrowser()
        // Another's crash leaves one there, or this machine passes memory to a program of its own, and then what the
        // kernel was told is all that there is to look at.
        let control = try crash("sleep 60", stage) { process in
            while try KernelSocket.whole("/proc/\(process)/comm") == "bash\n" { usleep(1000) }
        }
        #expect(control.outcome.exitCode == 128 + SIGSEGV && control.limit != "0", "\(control)")
        let pattern = try KernelSocket.whole("/proc/sys/kernel/core_pattern")
        if !pattern.hasPrefix("|") && !pattern.hasPrefix("/") { #expect(control.cores == 1, "\(control)") }
        let login = try crash("mojoauth-credential login", stage) { _ in _ = try browser.url() }
        stage.world.keyring?.freeze()
        let get = try crash("git-credential-mojoauth get", stage) { process in
            while try KernelSocket.whole("/proc/\(process)/comm") == "bash\n" { usleep(1000) }
            // It waits for the keyring.
            usleep(100_000)
        }
        stage.world.keyring?.thaw()
        for crashed in [login, get] {
            #expect(crashed.outcome.exitCode == 128 + SIGSEGV, "\(crashed)")
            #expect(crashed.limit == "0" && crashed.cores == 0, "\(crashed)")
        }
        let after = try stage.startGet().finish()
        let lost = after.exitCode == 0 ? 0 : 1
        TortureTable.shared.add(
            .init(
                fault: "crash, no limit on core files", operations: "login, git get", runs: 2,
                longest: max(login.outcome.seconds, get.outcome.seconds), lost: lost, leaked: login.cores + get.cores))
        #expect(lost == 0, "\(after)")
    }

    private struct Crash {
        var outcome: Outcome
        /// The soft limit on core files while it ran.
        var limit: String
        /// Files in its folder afterwards.
        var cores: Int
    }

    /// Starts a program with as large a limit on core files as there may be, and lets it crash.
    private func crash(_ command: String, _ stage: Stage, when ready: (pid_t) throws -> Void) throws -> Crash {
        let folder = try stage.world.scratch.folder("cores-\(command.prefix { $0 != " " })")
        let running = try stage.world.start(
            "bash", ["-c", "cd \(folder) && ulimit -S -c $(ulimit -H -c) && exec \(command)"],
            input: World.gitRequest(Stage.host))
        try ready(running.child.pid)
        let limits = try KernelSocket.whole("/proc/\(running.child.pid)/limits")
        let limit = try #require(limits.firstMatch(of: /Max core file size +(\S+)/)).1
        running.child.signal(SIGSEGV)
        let outcome = try running.finish(within: 10)
        let cores = try FileManager.default.contentsOfDirectory(atPath: folder).count
        return Crash(outcome: outcome, limit: String(limit), cores: cores)
    }

    /// It is of use: what was asked, what came back, what was kept.
    @Test func verboseTellsTheSteps() throws {
        let stage = try Stage()
        let outcome = try stage.world.run("mojoauth-credential", ["refresh", "--verbose"])
        for step in [
            "configuration: \(stage.world.configurationFile)", "profile \"default\": client \"mojoauth-cli\" at ",
            "took the refresh lock", "the keyring has the login", "POST \(stage.sandbox.issuer)/oauth2/token: 200, ",
            "the ID token holds: RS256", "stored the login of profile \"default\": an access token until ",
        ] {
            #expect(outcome.errors.contains(step), "\(step) is not in: \(outcome)")
        }
        let silent = try stage.world.run("mojoauth-credential", ["refresh"])
        #expect(silent.errors.isEmpty, "\(silent)")
    }
}
