import Glibc
import Testing

@testable import Keyring

/// What a bus may say to whoever comes.
@Suite struct BusHandshakeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var pieces: [String] = []
        /// Does the bus hang up then?
        var hangsUp = false
        let outcome: BusHandshake.Outcome
    }

    static let identifier = String(repeating: "0a", count: 16)

    static let rows = [
        Row(testDescription: "known", pieces: ["OK \(identifier)\r\n"], outcome: .known),
        Row(
            testDescription: "known, piece by piece", pieces: ["O", "K \(identifier)\r", "\n"],
            outcome: .known),
        Row(
            testDescription: "known, and gone", pieces: ["OK \(identifier)\r\n"], hangsUp: true,
            outcome: .known),
        Row(testDescription: "another proof", pieces: ["REJECTED DBUS_COOKIE_SHA1\r\n"], outcome: .refused),
        Row(testDescription: "an error", pieces: ["ERROR \"who\"\r\n"], outcome: .refused),
        Row(testDescription: "a challenge", pieces: ["DATA\r\n"], outcome: .refused),
        Row(testDescription: "a word like it", pieces: ["OKAY\r\n"], outcome: .refused),
        Row(testDescription: "small letters", pieces: ["ok \(identifier)\r\n"], outcome: .refused),
        Row(testDescription: "an empty line", pieces: ["\r\n"], outcome: .refused),
        Row(testDescription: "no end in sight", pieces: [String(repeating: "x", count: 500)], outcome: .refused),
        Row(testDescription: "hangs up", hangsUp: true, outcome: .refused),
        Row(testDescription: "hangs up in the middle", pieces: ["OK 0a"], hangsUp: true, outcome: .refused),
        Row(testDescription: "says nothing", outcome: .late),
        Row(testDescription: "stops in the middle", pieces: ["OK 0a"], outcome: .late),
        Row(testDescription: "no carriage return", pieces: ["OK \(identifier)\n"], outcome: .late),
    ]

    @Test(arguments: rows) func isRead(_ row: Row) throws {
        let (ours, bus) = try Self.pair()
        defer { close(ours) }
        for piece in row.pieces { #expect(write(bus, piece, piece.utf8.count) == piece.utf8.count) }
        if row.hangsUp { shutdown(bus, CInt(SHUT_WR)) }
        let outcome = BusHandshake(descriptor: ours, limit: 0.2).run()
        #expect(outcome == row.outcome)
        close(bus)
    }

    /// Everything at once, and nothing behind it: messages wait for the answer.
    @Test func saysWhoWeAre() throws {
        let (ours, bus) = try Self.pair()
        defer {
            close(ours)
            close(bus)
        }
        #expect(BusHandshake(descriptor: ours, limit: 0).run() == .late)
        var heard = [UInt8](repeating: 0, count: 200)
        let count = recv(bus, &heard, heard.count, CInt(MSG_DONTWAIT))
        // 0 is 30 in hexadecimal digits, 1000 is 31303030.
        let user = String(geteuid()).map { "3\($0)" }.joined()
        #expect(heard.prefix(max(count, 0)).elementsEqual("\0AUTH EXTERNAL \(user)\r\nBEGIN\r\n".utf8))
    }

    @Test func aBusThatHasGoneIsNone() throws {
        let (ours, bus) = try Self.pair()
        defer { close(ours) }
        close(bus)
        #expect(BusHandshake(descriptor: ours, limit: 0.2).run() == .refused)
    }

    private static func pair() throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }
}
