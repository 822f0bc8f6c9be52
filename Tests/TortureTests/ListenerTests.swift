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

    private func check(_ attacks: [Attack], _ name: String) throws {
        let stage = try Stage(isSignedIn: false, stubsBrowser: true)
        let login = try stage.world.start("mojoauth-credential", ["login"])
        let start = try #require(stage.browser).url()
        let port = try #require(URL(string: start)?.port)
        // As a browser goes, up to the last step.
        let issuer = try #require(try stage.world.http("GET", start).headers["location"])
        let redirect = try #require(try stage.world.http("GET", issuer).headers["location"])
        let path = String(redirect.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })

        let threads = attacks.count > 1 ? 1 : 4
        let crowds = attacks.map { $0.begin(port, threads: threads) }
        defer { for crowd in crowds { crowd.end() } }
        try expectLoopbackAlone(port)
        let began = Clock.monotonic()
        let page = RawClient.exchange(port, "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        let seconds = Clock.monotonic() - began
        for crowd in crowds { crowd.end() }
        let outcome = try login.finish(within: 20)
        let isWon = page.hasPrefix("HTTP/1.1 200") && outcome.exitCode == 0
        #expect(isWon && seconds < 1, "\(name): \(seconds) s, \(outcome)\n\(page.prefix(200))")
        let leaked = try stage.leaks(in: crowds.flatMap(\.words) + [outcome.errors, outcome.text])
        TortureTable.shared.add(
            .init(
                fault: name, operations: "login", runs: crowds.reduce(0) { $0 + $1.strikes }, longest: seconds,
                lost: isWon ? 0 : 1, leaked: leaked))
        #expect(leaked == 0)
    }

    /// Nobody listens at this port but on 127.0.0.1.
    private func expectLoopbackAlone(_ port: Int) throws {
        let hex = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        var listening: [String] = []
        for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
            for line in try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n") {
                let columns = line.split(separator: " ")
                // The local address, and the state LISTEN.
                if columns.count > 3, columns[1].hasSuffix(suffix), columns[3] == "0A" {
                    listening.append(String(columns[1]))
                }
            }
        }
        #expect(listening == ["0100007F" + suffix])
    }
}
