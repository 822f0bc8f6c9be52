import Foundation
import OpenIDConnect
import Sensitive
import SessionStore
import Testing

/// The stored form of version 1, frozen: what these files hold lies in people's keyrings. A later program reads them all,
/// and as long as it writes version 1, it writes the same bytes.
@Suite struct GoldenTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    static let names = [
        "characters", "ended", "error-without-text", "minimal", "refused", "signed-in", "targets", "userinfo",
    ]

    private static func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: folder.appending(path: "version-1-\(name).json")))
    }

    @Test(arguments: names) func comesBackByteForByte(_ name: String) throws {
        let stored = try Self.bytes(name)
        let again = AuthStateCoding.encode(try AuthStateCoding.decode(Secret(stored)))
        #expect(again.text == String(decoding: stored, as: UTF8.self))
    }

    @Test func noFileIsLeftOut() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.sorted() == Self.names.map { "version-1-\($0).json" })
    }

    @Test func tellsWhatItHolds() throws {
        let state = try AuthStateCoding.decode(Secret(Self.bytes("signed-in")))
        #expect(state.isAuthorized && state.accessToken?.secret == Secret("access"))
        #expect(state.refreshToken == Secret("refresh") && state.scope == "openid profile")
        let ended = try AuthStateCoding.decode(Secret(Self.bytes("ended")))
        #expect(!ended.isAuthorized && ended.authorizationError?.code == "invalid_grant")
        let targets = try AuthStateCoding.decode(Secret(Self.bytes("targets"))).storedTargetTokens
        #expect(targets.count == 3 && targets.values.contains { $0.isRefused })
        #expect(targets.values.contains { $0.replacesRefused })
    }
}
