import TestSupport
import Testing

/// A stage on which every process is watched, and where all that is said is kept, to be searched at the end.
final class Canary {
    let stage: Stage
    private let watch: ProcessWatch
    /// In which no secret may stand.
    private var words: Set<String> = []
    private(set) var answers: [Answer] = []
    private var (runs, longest, lost) = (0, 0.0, 0)

    /// - Parameter options: of the sandbox.
    init(_ options: [String] = []) throws {
        stage = try Stage(
            options, profile: ["client-auth": "basic"],
            hosts: [
                Stage.host: [:], "https://\(CanaryCommand.registry)": [:], CanaryCommand.identity: ["token": "id"],
            ], clientSecret: CanaryCommand.clientSecret, isSignedIn: false)
        // What `configure` tells these is not done; go says what is set.
        for (tool, script) in ["systemctl": "exit 0", "go": "echo netrc"] {
            try stage.world.scratch.write("#!/bin/sh\n\(script)\n", to: "bin/\(tool)", mode: 0o755)
        }
        watch = ProcessWatch(stage.world.scratch.path)
    }

    /// Runs a command to its end, and looks at the keyring behind it.
    func run(_ command: CanaryCommand) throws {
        var input = command.input
        if input.contains(CanaryCommand.token) {
            let token = try #require(try stage.state()["access_token"] as? String)
            input = input.replacing(CanaryCommand.token, with: token)
        }
        if command.isWatched { try stage.sandbox.startFault("slow-token=1") }
        let outcome = try stage.world.run(
            command.program, command.arguments, input: input, environment: command.environment.mapValues { $0 })
        if command.isWatched { try stage.sandbox.stopFault("slow-token") }
        try add(outcome, of: command)
        try noteItems()
    }

    /// Keeps what a command said.
    func add(_ outcome: Outcome, of command: CanaryCommand) throws {
        (runs, longest) = (runs + 1, max(longest, outcome.seconds))
        if let exitCode = command.exitCode, outcome.exitCode != exitCode {
            lost += 1
            Issue.record("\(command.program) \(command.arguments): \(outcome)")
        }
        let shown = try stage.secrets().filter { command.shows.contains($0.name) }.map(\.value)
        func add(_ text: String) { words.insert(shown.reduce(text) { $0.replacing($1, with: "") }) }
        add(outcome.errors)
        if let asked = command.asked, outcome.exitCode == 0 {
            answers.append(Answer(outcome.text, asked: [asked]))
        } else {
            add(outcome.text)
        }
    }

    /// Keeps what a terminal showed.
    func add(_ text: String) {
        words.insert(text)
        runs += 1
    }

    /// Keeps attributes and label of every item, as they are now.
    func noteItems() throws {
        for item in try stage.world.items([:]) { words.insert(try stage.world.properties(ofItem: item)) }
    }

    /// Ends the watch, searches everything and writes the row of the table.
    ///
    /// - Returns: the processes that were seen.
    @discardableResult
    func finish(_ fault: String, _ operations: String) throws -> [ProcessWatch.Sighting] {
        // The command that `run --env` starts is the one process that has the token in its environment.
        let processes = watch.end().filter {
            !($0.text.contains("\(CanaryCommand.child)--env") && $0.text.contains("CANARY="))
        }
        let leaked = try stage.leaks(
            in: Array(words) + Set(processes.flatMap { [$0.text, $0.parent] }), answers: answers,
            others: [CanaryCommand.typed, CanaryCommand.clientSecret, KeyringDaemon.password])
        TortureTable.shared.add(
            .init(fault: fault, operations: operations, runs: runs, longest: longest, lost: lost, leaked: leaked.count))
        #expect(lost == 0 && leaked.isEmpty, "\(leaked)")
        return processes
    }
}
