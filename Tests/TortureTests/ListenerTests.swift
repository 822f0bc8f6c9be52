import Foundation
import Program
import TestSupport
import Testing

/// A login waits for its redirect while others use its port: the real one still wins within a second.
@Suite(.serialized) struct ListenerTests {
    @Test func redirectWinsAgainstEveryAttack() throws {
        for attack in Attack.all(TortureTable.runs(5000, short: 500)) { try check([attack], attack.name) }
    }

    @Test func redirectWinsAgainstAllOfThemAtOnce() throws {
        try check(Attack.all(TortureTable.runs(500, short: 100)), "all attacks on the listener at once")
    }

    /// Another user of the machine knows the port, and neither the way to the issuer nor the state.
    @Test func anotherUserGuessesInVain() throws {
        let waiting = try WaitingLogin()
        let port = waiting.port
        let guesses = TortureTable.runs(1000, short: 100)
        let attacker = try SecondUser.start(
            """
            id -u >&2
            for ((number = 0; number < \(guesses); number++)); do
                printf -v guess 'A%042d' $number
                for target in start/$guess "callback?code=c&state=$guess" "callback?error=access_denied&state=$guess"; do
                    exec 3<>/dev/tcp/127.0.0.1/\(port) || exit 3
                    printf 'GET /%s HTTP/1.1\\r\\nHost: 127.0.0.1:\(port)\\r\\n\\r\\n' "$target" >&3
                    read -r line <&3 && echo "${line%$'\\r'}"
                    exec 3>&-
                done
            done
            """, in: waiting.stage.world)
        let outcome = try attacker.finish(within: 100)
        let answers = outcome.text.split(separator: "\n").map(String.init)
        #expect(outcome.exitCode == 0 && outcome.errors == "\(SecondUser.id)\n", "\(outcome)")
        #expect(answers.count == 3 * guesses && answers.allSatisfy(isRefusal), "\(Set(answers))")
        let end = try waiting.redirect()
        try add("another user guesses path and state", waiting, end, strikes: answers.count, words: answers)
    }

    /// Whatever the redirect URI says of loopback, and whoever waits: nothing else is ever bound.
    @Test(
        arguments: [["login"], ["logout", "--browser"]],
        [
            ("http://127.0.0.1/callback", [ListeningProgram.loopback]),
            ("http://localhost/callback", [ListeningProgram.loopback, ListeningProgram.loopback6]),
            ("http://[::1]/callback", [ListeningProgram.loopback6]),
        ])
    func bindsLoopbackAlone(_ command: [String], _ redirect: (uri: String, addresses: [String])) throws {
        let profile = ["redirect-uri": redirect.uri]
        let stage = try Stage(profile: profile)
        let browser = try stage.stubBrowser(profile: profile)
        let listening = try ListeningProgram(command, in: stage.world, browser: browser)
        try listening.expectLoopbackAlone(at: redirect.addresses)
        let back = try listening.visitIssuer()
        #expect(back.hasPrefix(redirect.uri.replacing("/callback", with: ":\(listening.port)/callback?")), "\(back)")
        try listening.expectLoopbackAlone(at: redirect.addresses)
        #expect(try stage.world.http("GET", back).status == 200)
        let outcome = try listening.execution.finish(within: 20)
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(try KernelSocket.all().allSatisfy { $0.port != listening.port || !$0.isListening })
    }

    private func check(_ attacks: [Attack], _ name: String) throws {
        let waiting = try WaitingLogin()
        try waiting.listening.expectLoopbackAlone()
        let threads = attacks.count > 1 ? 1 : 4
        var crowds: [Attack.Crowd] = []
        defer { for crowd in crowds { crowd.end() } }
        for attack in attacks { crowds.append(try attack.begin(waiting.port, threads: threads)) }
        try waiting.listening.expectLoopbackAlone()
        for (attack, crowd) in zip(attacks, crowds) {
            let answers = crowd.words
            // Each was refused, and held up nobody.
            #expect(answers.allSatisfy(isRefusal), "\(attack.name): \(answers.map { $0.prefix(60) })")
            #expect(attack.isAnswered ? !answers.isEmpty : crowd.connections >= attack.count, "\(attack.name)")
        }
        let end = try waiting.redirect()
        for crowd in crowds { crowd.end() }
        try add(
            name, waiting, end, strikes: crowds.reduce(0) { $0 + $1.strikes }, words: crowds.flatMap(\.words))
    }

    private func isRefusal(_ answer: String) -> Bool { answer.prefixMatch(of: /HTTP\/1\.1 4\d\d\ /) != nil }

    private func add(
        _ name: String, _ waiting: WaitingLogin, _ end: WaitingLogin.End, strikes: Int, words: [String]
    ) throws {
        #expect(end.isWon && end.seconds < 1, "\(name): \(end)")
        #expect(try KernelSocket.all().allSatisfy { $0.port != waiting.port || !$0.isListening })
        let leaked = try waiting.stage.leaks(in: words + [end.outcome.errors, end.outcome.text])
        TortureTable.shared.add(
            .init(
                fault: name, operations: "login", runs: strikes, longest: end.seconds, lost: end.isWon ? 0 : 1,
                leaked: leaked.count))
        #expect(leaked.isEmpty, "\(leaked)")
    }
}
