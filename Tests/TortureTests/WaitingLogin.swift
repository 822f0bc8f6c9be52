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
    let port: Int
    private let login: Execution
    private let path: String
    /// Sockets that were there before it.
    private let strangers: Set<UInt64>

    init() throws {
        stage = try Stage(isSignedIn: false, stubsBrowser: true)
        strangers = Set(try KernelSocket.all().map(\.inode))
        login = try stage.world.start("mojoauth-credential", ["login"])
        let start = try #require(stage.browser).url()
        port = try #require(URL(string: start)?.port)
        // As a browser goes, up to the last step.
        let issuer = try #require(try stage.world.http("GET", start).headers["location"])
        let redirect = try #require(try stage.world.http("GET", issuer).headers["location"])
        path = String(redirect.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
    }

    /// The last step.
    func redirect() throws -> End {
        let began = Clock.monotonic()
        let page = RawClient.exchange(port, "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        let seconds = Clock.monotonic() - began
        let outcome = try login.finish(within: 20)
        return End(
            isWon: page.hasPrefix("HTTP/1.1 200") && outcome.exitCode == 0, seconds: seconds,
            page: String(page.prefix(200)), outcome: outcome)
    }

    /// Every socket of the process, of whatever kind, is on loopback; one listens, at the port, and no other does.
    func expectLoopbackAlone() throws {
        let inodes = KernelSocket.inodes(ofProcess: login.child.pid)
        let all = try KernelSocket.all()
        let own = all.filter { socket in
            // Descriptors of a process that hides from debuggers are root's to see; else whatever of this user is new.
            inodes?.contains(socket.inode)
                ?? (socket.user == geteuid() && socket.inode != 0 && !strangers.contains(socket.inode))
        }
        #expect(own.contains { $0.isListening && $0.port == port }, "the listener was not found")
        #expect(own.allSatisfy { $0.isOnLoopback }, "\(own)")
        if inodes != nil { #expect(own.filter(\.isListening).map(\.port) == [port], "\(own)") }
        #expect(all.filter { $0.isListening && $0.port == port }.map(\.address) == ["0100007F"])
    }
}
