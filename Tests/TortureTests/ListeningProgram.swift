import Foundation
import TestSupport
import Testing

/// A command that waits on loopback for the browser that it has sent off.
struct ListeningProgram {
    let execution: Execution
    let port: Int
    /// Where the browser was sent, on the listener itself.
    private let start: String
    private let world: World
    /// Sockets that were there before it.
    private let strangers: Set<UInt64>

    static let loopback = "0100007F"
    static let loopback6 = "00000000000000000000000001000000"

    /// Returns once it has opened the browser.
    init(_ arguments: [String], in world: World, browser: BrowserStub) throws {
        self.world = world
        strangers = Set(try KernelSocket.all().map(\.inode))
        execution = try world.start("mojoauth-credential", arguments)
        start = try browser.url()
        port = try #require(URL(string: start)?.port)
    }

    /// Goes where the browser is sent, up to the last step.
    ///
    /// - Returns: where the issuer sends it back to.
    func visitIssuer() throws -> String {
        let issuer = try #require(try world.http("GET", start).headers["location"])
        return try #require(try world.http("GET", issuer).headers["location"])
    }

    /// Every socket of the process, of whatever kind, is on loopback; the port is listened at, and no other.
    ///
    /// - Parameter addresses: where, in the kernel's digits.
    func expectLoopbackAlone(at addresses: [String] = [Self.loopback]) throws {
        let inodes = KernelSocket.inodes(ofProcess: execution.child.pid)
        let all = try KernelSocket.all()
        let own = all.filter { socket in
            // Descriptors of a process that hides from debuggers are root's to see; else whatever of this user is new.
            inodes?.contains(socket.inode)
                ?? (socket.user == geteuid() && socket.inode != 0 && !strangers.contains(socket.inode))
        }
        #expect(own.contains { $0.isListening && $0.port == port }, "the listener was not found")
        #expect(own.allSatisfy { $0.isOnLoopback }, "\(own)")
        if inodes != nil { #expect(own.allSatisfy { !$0.isListening || $0.port == port }, "\(own)") }
        let listeners = all.filter { $0.isListening && $0.port == port }.map(\.address)
        #expect(listeners.sorted() == addresses.sorted())
    }
}
