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
    private static let clientSecret = "canary-client-secret-0123456789"
    private static let registry = "registry.example.com"

    struct Command: Sendable {
        var program = "mojoauth-credential"
        var arguments: [String]
        var input = ""
        var exitCode: Int32 = 0
        /// Its standard output is for the caller, and holds the token.
        var isAnswer = false
        /// Names of secrets that it shows on purpose.
        var shows: Set<String> = []

        init(_ line: String, exitCode: Int32 = 0, isAnswer: Bool = false, input: String = "", shows: Set<String> = []) {
            let words = line.split(separator: " ").map(String.init)
            if let first = words.first, first.contains("-credential-") {
                program = first
                arguments = Array(words.dropFirst())
            } else {
                arguments = words
            }
            (self.exitCode, self.isAnswer, self.input, self.shows) = (exitCode, isAnswer, input, shows)
        }

        /// Only a person's own program tells its steps.
        var isVerbose: Command {
            var command = self
            if program == "mojoauth-credential" { command.arguments.append("--verbose") }
            return command
        }
    }

    private static let commands: [Command] = [
        Command("login"), Command("login --prompt login"), Command("status"), Command("status --json"),
        Command("whoami"), Command("whoami --json"), Command("whoami --refresh"), Command("list"),
        Command("list --json"), Command("refresh"), Command("refresh --json"), Command("refresh --if-stale 600"),
        Command("refresh --if-ageing"), Command("refresh --background"), Command("refresh --audience api"),
        Command("explain \(Stage.host)"), Command("completion bash"),
        Command("get", isAnswer: true), Command("get --format json", isAnswer: true),
        Command("get \(Stage.host) --format header", isAnswer: true),
        Command("git-credential-mojoauth get", isAnswer: true, input: World.gitRequest(Stage.host)),
        Command(
            "git-credential-mojoauth get", isAnswer: true,
            input: "capability[]=authtype\ncapability[]=state\n" + World.gitRequest(Stage.host)),
        Command("docker-credential-mojoauth get", isAnswer: true, input: registry),
        Command("docker-credential-mojoauth list"),
        // Nobody goes there: it shows the address with state and nonce, and gives up.
        Command("login --no-browser --timeout 1", exitCode: 75, shows: ["state", "nonce"]),
        Command("logout"), Command("login"), Command("logout --browser --timeout 5"), Command("login"),
    ]

    private func stage() throws -> Stage {
        let stage = try Stage(
            profile: ["client-auth": "basic"], hosts: [Stage.host: [:], "https://\(Self.registry)": [:]],
            clientSecret: Self.clientSecret, isSignedIn: false)
        let stored = try stage.world.run(
            "mojoauth-credential", ["configure", "profile", "--client-secret-stdin", "--offline", "--verbose"],
            input: Self.clientSecret + "\n")
        try #require(stored.exitCode == 0, "\(stored)")
        try stage.logIn()
        return stage
    }

    private func run(_ command: Command, _ stage: Stage) throws -> Outcome {
        try stage.world.run(command.program, command.arguments, input: command.input)
    }

    /// Attributes and labels of every item.
    private func items(_ stage: Stage) throws -> [String] {
        try stage.world.items([:]).flatMap { item in
            let attributes = try stage.world.attributes(ofItem: item)
            return [try stage.world.label(ofItem: item)] + attributes.flatMap { [$0.key, $0.value] }
        }
    }

    private func add(_ fault: String, _ words: [String], _ stage: Stage, runs: Int, longest: Double, lost: Int) throws {
        let leaked = try stage.leaks(in: words)
        TortureTable.shared.add(
            .init(
                fault: fault, operations: "every command", runs: runs, longest: longest, lost: lost, leaked: leaked))
        #expect(lost == 0 && leaked == 0)
    }

    @Test(arguments: [false, true]) func everyCommand(isVerbose: Bool) throws {
        let stage = try stage()
        let watch = ProcessWatch(stage.world.scratch.path)
        var (words, longest, lost, answers): ([String], Double, Int, [String]) = ([], 0, 0, [])
        for command in Self.commands {
            let command = isVerbose ? command.isVerbose : command
            let outcome = try run(command, stage)
            longest = max(longest, outcome.seconds)
            if outcome.exitCode != command.exitCode {
                lost += 1
                Issue.record("\(command.program) \(command.arguments): \(outcome)")
            }
            if command.isAnswer { answers.append(outcome.text) }
            let shown = try stage.secrets().filter { command.shows.contains($0.name) }.map(\.value)
            words += (command.isAnswer ? [outcome.errors] : [outcome.text, outcome.errors]).map { text in
                shown.reduce(text) { $0.replacingOccurrences(of: $1, with: "") }
            }
        }
        let processes = watch.end()
        // The search would find one: answers hold the token, and the processes that were seen are ours and the browser's.
        let secrets = try stage.secrets()
        #expect(!LeakSearch.find(secrets.map(\.value), in: answers).isEmpty)
        #expect(processes.contains { $0.hasPrefix("mojoauth-credential ") })
        #expect(processes.contains { $0.contains("following-browser") || $0.contains("curl") })
        let names = Set(secrets.map(\.name))
        #expect(names.isSuperset(of: ["code", "code_verifier", "state", "nonce", "refresh_token", "id_token"]))
        #expect(secrets.contains { $0.value == Self.clientSecret })
        try add(
            isVerbose ? "canary, --verbose" : "canary", words + processes + items(stage), stage,
            runs: Self.commands.count, longest: longest, lost: lost)
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
        let stage = try stage()
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
        try add(
            "canary, keyring stopped, locked, killed", words + watch.end(), stage, runs: runs, longest: longest, lost: 0
        )
    }

    /// A crash writes no memory to the disk, whatever the limit that it was started with.
    @Test func crashLeavesNoCore() throws {
        let stage = try Stage(isSignedIn: false, stubsBrowser: true)
        var (runs, cores, longest) = (0, 0, 0.0)
        for command in ["mojoauth-credential login", "git-credential-mojoauth get"] {
            let folder = try stage.world.scratch.folder("cores-\(runs)")
            if command.hasPrefix("git") { stage.world.keyring?.freeze() }
            let running = try stage.world.start(
                "bash", ["-c", "cd \(folder) && ulimit -S -c $(ulimit -H -c) && exec \(command)"],
                input: World.gitRequest(Stage.host))
            if command.hasPrefix("git") {
                while try String(contentsOfFile: "/proc/\(running.child.pid)/comm", encoding: .utf8) == "bash\n" {
                    usleep(1000)
                }
                // It waits for the keyring.
                usleep(100_000)
            } else {
                _ = try #require(stage.browser).url()
            }
            running.child.signal(SIGSEGV)
            let outcome = try running.finish(within: 10)
            #expect(outcome.exitCode == 128 + SIGSEGV, "\(outcome)")
            cores += try FileManager.default.contentsOfDirectory(atPath: folder).count
            longest = max(longest, outcome.seconds)
            runs += 1
        }
        stage.world.keyring?.thaw()
        TortureTable.shared.add(
            .init(
                fault: "crash, no limit on core files", operations: "login, git get", runs: runs, longest: longest,
                lost: 0, leaked: cores))
        #expect(cores == 0)
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
