import TestSupport

/// A reason for which git-credential-libsecret answers otherwise than ours, and why ours is right.
struct GitDifference: Sendable {
    /// One request, both answers to it, and what came before it in its scenario.
    struct Step {
        var peer: Peer
        var request: GeneratedRequest
        var past: [GeneratedRequest]
        var theirs: Answer
        var ours: Answer

        var isGet: Bool { request.operation == "get" }
        var stored: [GeneratedRequest] { past.filter { $0.operation == "store" } }
        var everything: [GeneratedRequest] { past + [request] }
    }

    struct Answer: Equatable, CustomStringConvertible {
        var exitCode: Int32
        /// In one order: git does not care for it.
        var lines: [String]

        init(_ outcome: Outcome) {
            exitCode = outcome.exitCode
            lines = outcome.text.split(separator: "\n").map(String.init).sorted()
        }

        func has(_ key: String) -> Bool { lines.contains { $0.hasPrefix("\(key)=") } }

        var description: String { "exit \(exitCode), \(lines)" }
    }

    var reason: String
    /// What is kept differs from here on: the rest of the scenario says nothing more.
    var endsScenario = false
    var explains: @Sendable (Step) -> Bool

    private init(_ reason: String, endsScenario: Bool = false, explains: @escaping @Sendable (Step) -> Bool) {
        self.reason = reason
        self.endsScenario = endsScenario
        self.explains = explains
    }

    /// The first that explains a difference counts.
    static let table: [GitDifference] = [
        GitDifference("theirs repeats the request: store and erase have nothing to answer") { step in
            !step.isGet && step.ours.lines.isEmpty && step.ours.exitCode == step.theirs.exitCode
                && step.theirs.lines.allSatisfy { line in
                    step.request.fields.contains { "\($0.key)=\($0.value)" == line }
                }
        },
        GitDifference("theirs fails: a store without a username and a password is nothing to keep, and no error") {
            step in
            step.request.operation == "store" && step.theirs.exitCode == 1 && step.ours.exitCode == 0
                && (step.request["username"] == nil || step.request["password"] == nil) && step.ours.lines.isEmpty
        },
        GitDifference("theirs repeats the username: a miss has nothing to answer") { step in
            step.isGet && step.ours.lines.isEmpty && step.ours.exitCode == step.theirs.exitCode
                && step.theirs.lines == step.request["username"].map { ["username=\($0)"] }
        },
        GitDifference("theirs forgets authtype and credential, or answers a password beside them", endsScenario: true) {
            step in
            step.isGet && step.stored.contains { $0["authtype"] != nil } && step.request["capability[]"] != nil
                && step.ours.has("authtype")
        },
        GitDifference("theirs keeps what is ephemeral", endsScenario: true) { step in
            step.isGet && step.stored.contains { $0["ephemeral"] != nil } && step.ours.exitCode == 0
        },
        GitDifference("theirs cuts a port that is no number off: such a host is another one", endsScenario: true) {
            step in
            step.isGet && step.everything.contains(where: \.hasOddPort)
        },
        GitDifference(
            "theirs takes a host without a port for every port: another port is another server", endsScenario: true
        ) { step in
            step.isGet && step.theirs.lines != step.ours.lines
                && step.stored.contains { stored in
                    step.everything.contains {
                        $0.operation != "store" && stored["host"]?.hasPrefix(($0["host"] ?? "-") + ":") == true
                    }
                }
        },
        GitDifference("theirs keeps an expiry that is no time: git would drop it unread", endsScenario: true) { step in
            step.isGet
                && step.stored.contains { ["soon", "0"].contains($0["password_expiry_utc"]) }
                && step.theirs.lines.filter { !$0.hasPrefix("password_expiry_utc=") } == step.ours.lines
        },
        GitDifference("git's older helper keeps neither expiry nor refresh token", endsScenario: true) { step in
            let state = ["password_expiry_utc=", "oauth_refresh_token="]
            let withoutState = step.ours.lines.filter { line in !state.contains { line.hasPrefix($0) } }
            return step.isGet && !step.peer.keepsTokenState && withoutState != step.ours.lines
                && step.theirs.lines.filter { $0 != "username=" } == withoutState.filter { $0 != "username=" }
        },
        GitDifference(
            "theirs erases by place alone: ours spares an entry whose password is another", endsScenario: true
        ) {
            step in
            step.isGet && step.ours.has("password")
                && step.past.contains { $0.operation == "erase" && $0["password"] != nil }
        },
        GitDifference("theirs compares the password with one entry, ours with each", endsScenario: true) { step in
            step.isGet && step.theirs.has("password") && !step.ours.has("password")
                && step.past.contains { $0.operation == "erase" && $0["password"] != nil }
        },
        GitDifference("any of several entries will do: the keyring's order", endsScenario: true) { step in
            step.isGet && step.theirs.has("password") && step.ours.has("password") && step.stored.count > 1
                && (step.request["username"] == nil || step.request["path"] == nil)
        },
    ]
}
