import Foundation
import Program
import Testing

@testable import Keyring

@Suite struct PromptTurnTests {
    private func path() throws -> String { try #require(PromptTurn.path(bus: UUID().uuidString)) }

    @Test func isOneForEachBus() throws {
        let (bus, another) = (try path(), try path())
        var turn = PromptTurn(bus)
        #expect(turn != nil)
        #expect(PromptTurn(bus) == nil)
        #expect(PromptTurn(another) != nil)
        #expect(FileManager.default.fileExists(atPath: bus))
        turn = nil
        #expect(!FileManager.default.fileExists(atPath: bus))
        #expect(PromptTurn(bus) != nil)
    }

    /// What stands in the place of the file is not ours to remove, and keeps nobody from asking.
    @Test func whereThereIsNoPlaceEverybodyHasIt() throws {
        let file = try path()
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/dev/null")
        defer { unlink(file) }
        for place in [file, nil] {
            let turns = [PromptTurn(place), PromptTurn(place)]
            #expect(turns.allSatisfy { $0 != nil })
        }
        #expect(FileManager.default.fileExists(atPath: file))
    }

    /// Of a bus that will never come again nobody would take the turn any more.
    @Test func whatTheKilledHaveLeftIsClearedAway() throws {
        let (left, held) = (try path(), try path())
        #expect(FileManager.default.createFile(atPath: left, contents: nil))
        let turn = PromptTurn(held)
        _ = try path()
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: held))
        withExtendedLifetime(turn) {}
    }
}
