import JOSE
import JSON
import Program
import Sandbox
import Testing
import WebAddress

/// Every fault by name: what a client sees of it, and that nothing is left of it once it is off.
@Suite(.serialized) struct FaultTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var value: String?
        let shows: @Sendable (Transcript) -> Bool
        var testDescription: String { name }

        init(_ name: String, value: String? = nil, _ shows: @escaping @Sendable (Transcript) -> Bool) {
            self.name = name
            self.value = value
            self.shows = shows
        }
    }

    static let sandbox = Result { try RunningSandbox(["--auto", "alice@example.com"]) }

    @Test func everyFaultHasARow() {
        #expect(Set(Self.rows.map(\.name)) == Set(Fault.table.map(\.name)).subtracting(["git-refuse"]))
    }

    @Test(arguments: rows)
    func strikes(_ row: Row) throws {
        let sandbox = try Self.sandbox.get()
        var client = try TestClient(sandbox)
        let before = try client.logIn()
        try sandbox.turnOn(row.name, value: row.value)
        defer { try? sandbox.turnOff(row.name) }
        let transcript = try Transcript(of: sandbox, before: before)
        #expect(
            row.shows(transcript), "\(transcript.token?.text ?? "no answer") \(transcript.header) \(transcript.claims)")
        #expect(sandbox.log.contains(#""faults":["\#(row.name)"]"#))
    }

    /// The same walk without a fault: what the rows' conditions must not hold for.
    @Test func withoutAFaultNothingIsSeen() throws {
        let sandbox = try Self.sandbox.get()
        var client = try TestClient(sandbox)
        let transcript = try Transcript(of: sandbox, before: try client.logIn())
        #expect(transcript.refusal == nil)
        #expect(
            [transcript.metadata, transcript.token, transcript.keys, transcript.refresh, transcript.userinfo].allSatisfy
            { $0?.status == 200 })
        #expect([transcript.device, transcript.revocation, transcript.logout].allSatisfy { $0?.status == 200 })
        #expect(Self.rows.filter { $0.shows(transcript) }.map(\.name) == [])
    }

    @Test func anOccasionIsOneRequest() throws {
        let sandbox = try RunningSandbox(["--auto", "alice@example.com", "--fault", "token-500@2", "--fault", "deny@3"])
        var client = try TestClient(sandbox)
        let tokens = try client.logIn()
        let refresh = client.refresh(with: tokens["refresh_token"]?.string ?? "")
        #expect(try client.token(refresh).status == 500)
        #expect(try client.token(refresh).status == 200)
        _ = try client.code()
        #expect(try client.response(in: try client.send("GET", client.authorization()))["error"] == "access_denied")
        _ = try client.code()
    }

    @Test func droppedAfterRotationTheOldTokenIsSpent() throws {
        let sandbox = try RunningSandbox(["--auto", "alice@example.com"])
        var client = try TestClient(sandbox)
        let refresh = client.refresh(with: try client.logIn()["refresh_token"]?.string ?? "")
        try sandbox.turnOn("drop-after-rotation")
        #expect(throws: Complaint.self) { try client.token(refresh) }
        try sandbox.turnOff("drop-after-rotation")
        #expect(client.error(of: try client.token(refresh)) == "invalid_grant")
        #expect(sandbox.log.contains(#""grant_type":"refresh_token","status":0"#))
    }

    struct SpellingRow: Sendable, CustomTestStringConvertible {
        let text: String
        var setting: FaultSetting?
        var testDescription: String { text }
    }

    @Test(arguments: [
        SpellingRow(text: "deny", setting: FaultSetting(name: "deny")),
        SpellingRow(text: "slow-token=3", setting: FaultSetting(name: "slow-token", value: "3")),
        SpellingRow(text: "slow-token=0.5@2", setting: FaultSetting(name: "slow-token", value: "0.5", occasion: 2)),
        SpellingRow(text: "token-500@7", setting: FaultSetting(name: "token-500", occasion: 7)),
        SpellingRow(text: "slow-token=", setting: FaultSetting(name: "slow-token", value: "")),
        SpellingRow(text: ""), SpellingRow(text: "Deny"), SpellingRow(text: "deny "), SpellingRow(text: "deny@"),
        SpellingRow(text: "deny@0"), SpellingRow(text: "deny@-1"), SpellingRow(text: "deny@one"),
        SpellingRow(text: "@1"),
        SpellingRow(text: "=3"), SpellingRow(text: "deny@1@x"), SpellingRow(text: "deny,token-500"),
    ])
    func spelling(_ row: SpellingRow) {
        #expect((try? FaultSetting(parsing: row.text)) == row.setting)
    }
}
