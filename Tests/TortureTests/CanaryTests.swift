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
    /// - Parameter options: of the sandbox.
    private func stage(_ options: [String] = []) throws -> Stage {
        let stage = try Stage(
            options, profile: ["client-auth": "basic"],
            hosts: [Stage.host: [:], "https://\(CanaryCommand.registry)": [:]],
            clientSecret: CanaryCommand.clientSecret, isSignedIn: false)
        let stored = try stage.world.run(
            "mojoauth-credential", ["configure", "profile", "--client-secret-stdin", "--offline", "--verbose"],
            input: CanaryCommand.clientSecret + "\n")
        try #require(stored.exitCode == 0, "\(stored)")
        try stage.logIn()
        return stage
    }

    private func run(_ command: CanaryCommand, _ stage: Stage) throws -> Outcome {
        try stage.world.run(
            command.program, command.arguments, input: command.input,
            environment: command.environment.mapValues { $0 })
    }

    /// Attributes and labels of every item.
    private func items(_ stage: Stage) throws -> [String] {
        try stage.world.items([:]).flatMap { item in
            let attributes = try stage.world.attributes(ofItem: item)
            return [try stage.world.label(ofItem: item)] + attributes.flatMap { [$0.key, $0.value] }
        }
    }

    private func add(_ fault: String, _ words: [String], _ stage: Stage, runs: Int, longest: Double, lost: Int) throws {
        let leaked = try stage.leaks(in: words, others: [CanaryCommand.typed, KeyringDaemon.password])
        TortureTable.shared.add(
            .init(
                fault: fault, operations: "every command", runs: runs, longest: longest, lost: lost, leaked: leaked))
        #expect(lost == 0 && leaked == 0)
    }

    /// The person's password of the keyring, typed at a terminal.
    ///
    /// - Returns: what the terminal showed.
    private func unlock(_ stage: Stage, isVerbose: Bool) throws -> String {
        try stage.world.lockKeyring()
        let terminal = try PseudoTerminal()
        try terminal.start(stage.world, "mojoauth-credential", ["unlock"] + (isVerbose ? ["--verbose"] : []))
        try terminal.wait(for: "Password of the keyring")
        terminal.type(KeyringDaemon.password + "\n")
        #expect(try terminal.finish() == 0, "\(terminal.text)")
        return terminal.text
    }

    /// What the programs themselves list as theirs has a row each.
    @Test func everyCommandHasARow() throws {
        let world = try World(.noBus)
        let help = try world.run("mojoauth-credential", ["help"]).text
        let commands = help.matches(of: /\n  ([a-z]+) {2,}/).map { String($0.1) }
        let missing = Set(commands).subtracting(CanaryCommand.all.compactMap(\.command))
        #expect(commands.count > 15 && missing.isEmpty, "no row for \(missing)")
        let usage = try world.run("mojoauth-helper", []).errors
        let words = try #require(usage.firstMatch(of: /mojoauth-helper ([a-z|]+)\ /)).1.split(separator: "|").map(
            String.init)
        let without = Set(words).subtracting(CanaryCommand.all.compactMap(\.helperWord))
        #expect(words.count > 8 && without.isEmpty, "no row for \(without)")
    }

    @Test(arguments: [false, true]) func everyCommand(isVerbose: Bool) throws {
        let stage = try stage()
        let watch = ProcessWatch(stage.world.scratch.path)
        var (words, longest, lost, answers): ([String], Double, Int, [String]) = ([], 0, 0, [])
        for command in CanaryCommand.all {
            let command = isVerbose ? command.isVerbose : command
            let outcome = try run(command, stage)
            longest = max(longest, outcome.seconds)
            if let exitCode = command.exitCode, outcome.exitCode != exitCode {
                lost += 1
                Issue.record("\(command.program) \(command.arguments): \(outcome)")
            }
            if command.isAnswer { answers.append(outcome.text) }
            let shown = try stage.secrets().filter { command.shows.contains($0.name) }.map(\.value)
            words += (command.isAnswer ? [outcome.errors] : [outcome.text, outcome.errors]).map { text in
                shown.reduce(text) { $0.replacingOccurrences(of: $1, with: "") }
            }
        }
        words.append(try unlock(stage, isVerbose: isVerbose))
        // The command that `run --env` starts is the one process that has the token in its environment. It may have been
        // seen under the words of its parent, a moment before they became its own.
        let processes = watch.end().filter { !($0.contains("\(CanaryCommand.child)--env") && $0.contains("CANARY=")) }
        // The search would find one: answers hold the token, and the processes that were seen are ours and the browser's.
        let secrets = try stage.secrets()
        #expect(!LeakSearch.find(secrets.map(\.value), in: answers).isEmpty)
        #expect(processes.contains { $0.hasPrefix("mojoauth-credential ") })
        #expect(processes.contains { $0.contains("following-browser") || $0.contains("curl") })
        let names = Set(secrets.map(\.name))
        #expect(names.isSuperset(of: ["code", "code_verifier", "state", "nonce", "refresh_token", "id_token"]))
        #expect(secrets.contains { $0.value == CanaryCommand.clientSecret })
        try add(
            isVerbose ? "canary, --verbose" : "canary", words + processes + items(stage), stage,
            runs: CanaryCommand.all.count + 1, longest: longest, lost: lost)
    }

    /// What every fault of the issuer makes them say.
    @Test func everyFault() throws {
        let stage = try stage()
        let listed = try stage.world.run("mojoauth-sandbox", ["faults"]).text
        let names = listed.split(separator: "\n").compactMap { $0.firstMatch(of: /^ *([a-z][a-z0-9-]+)/)?.1 }
        let step = TortureTable.runs(1, short: 6)
        let watch = ProcessWatch(stage.world.scratch.path)
        var (words, longest, runs): ([String], Double, Int) = ([], 0, 0)
        for number in stride(from: 0, to: names.count, by: step) {
            let fault = String(names[number])
            // One that takes a value takes this one.
            guard (try? stage.sandbox.startFault(fault)) != nil || (try? stage.sandbox.startFault("\(fault)=1")) != nil
            else { continue }
            for arguments in [["login", "--timeout", "1"], ["refresh"], ["whoami", "--refresh"]] {
                let outcome = try stage.world.run("mojoauth-credential", arguments + ["--verbose"])
                words += [outcome.text, outcome.errors]
                longest = max(longest, outcome.seconds)
                runs += 1
            }
            try stage.sandbox.stopFault(fault)
        }
        #expect(runs > 3 * names.count / step / 2, "\(names)")
        let login = try stage.world.run("mojoauth-credential", ["login"])
        try add(
            "canary, every fault of the issuer", words + watch.end() + items(stage), stage, runs: runs,
            longest: longest, lost: login.exitCode == 0 ? 0 : 1)
    }

    /// A keyring that is locked, stopped or gone is no reason to tell what was to be kept in it.
    @Test func keyringFaults() throws {
        // With it the one refresh that cannot be stored costs nothing.
        let stage = try stage(["--grace", "3600"])
        let watch = ProcessWatch(stage.world.scratch.path)
        var (words, longest, runs): ([String], Double, Int) = ([], 0, 0)
        func strike(_ arguments: [[String]]) throws {
            let running = try arguments.map { try stage.world.start("mojoauth-credential", $0 + ["--verbose"]) }
            let get = try stage.startGet()
            for execution in running + [get] {
                let outcome = try execution.finish(within: 30)
                words += [outcome.errors, outcome.text]
                longest = max(longest, outcome.seconds)
                runs += 1
                #expect(outcome.exitCode != 0)
            }
        }
        let all = [["refresh"], ["status"], ["login"], ["logout"], ["get"]]
        stage.world.keyring?.freeze()
        try strike(all)
        stage.world.keyring?.thaw()
        // Locked between the issuer's answer and the saving: the token is handed out once, and not told.
        try stage.sandbox.startFault("slow-token=1")
        let before = try stage.sandbox.requests().count
        let late = try stage.world.start("mojoauth-credential", ["refresh", "--verbose"])
        try ProcessTests.wait(for: stage, since: before) { $0.path.hasSuffix("jwks.json") }
        try stage.world.lockKeyring()
        let outcome = try late.finish(within: 20)
        words += [outcome.errors, outcome.text]
        #expect(outcome.exitCode == 69, "\(outcome)")
        try stage.sandbox.stopFault("slow-token")
        stage.world.keyring?.kill()
        try strike(all)
        try stage.world.startKeyring()
        let after = try stage.world.run("mojoauth-credential", ["refresh", "--verbose"])
        #expect(after.exitCode == 0, "\(after)")
        try add(
            "canary, keyring stopped, locked, killed", words + [after.errors] + watch.end(), stage, runs: runs,
            longest: longest, lost: after.exitCode == 0 ? 0 : 1)
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
