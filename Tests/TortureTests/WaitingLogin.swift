import Foundation
import Program
import TestSupport
import Testing

/// A login that waits for its redirect, with the person one step away from it.
struct WaitingLogin {
    /// How it ended.
    struct End {
        /// The person saw a page that says so, and the login is there.
        var isWon: Bool
        /// From the redirect to its page.
        var seconds: Double
        var page: String
        var outcome: Outcome
    }

    let stage: Stage
    let listening: ListeningProgram
    var port: Int { listening.port }
    private let path: String

    init() throws {
        stage = try Stage(isSignedIn: false, stubsBrowser: true)
        listening = try ListeningProgram(["login"], in: stage.world, browser: #require(stage.browser))
        // As a browser goes, up to the last step.
        let redirect = try listening.visitIssuer()
        path = String(redirect.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
    }

    /// The last step.
    func redirect() throws -> End {
        let began = Clock.monotonic()
        let page = RawClient.exchange(port, "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        let seconds = Clock.monotonic() - began
        let outcome = try listening.execution.finish(within: 20)
        return End(
            isWon: page.hasPrefix("HTTP/1.1 200") && outcome.exitCode == 0, seconds: seconds,
            page: String(page.prefix(200)), outcome: outcome)
    }
}
