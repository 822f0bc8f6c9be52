import Foundation
import Program
import Testing

@testable import Keyring

@Suite struct PromptTurnTests {
    @Test func isOneForEachBus() throws {
        let (bus, another) = (UUID().uuidString, UUID().uuidString)
        var turn = PromptTurn(bus: bus)
        #expect(turn != nil)
        #expect(PromptTurn(bus: bus) == nil)
        #expect(PromptTurn(bus: another) != nil)
        let file = try LockFolder.make() + "/\(bus).prompt"
        #expect(FileManager.default.fileExists(atPath: file))
        turn = nil
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(PromptTurn(bus: bus) != nil)
    }

    /// What stands in the place of the file is not ours to remove, and keeps nobody from asking.
    @Test func whereThereIsNoPlaceEverybodyHasIt() throws {
        let bus = UUID().uuidString
        let file = try LockFolder.make() + "/\(bus).prompt"
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/dev/null")
        defer { unlink(file) }
        let turns = [PromptTurn(bus: bus), PromptTurn(bus: bus)]
        #expect(turns.allSatisfy { $0 != nil })
        #expect(FileManager.default.fileExists(atPath: file))
    }
}
