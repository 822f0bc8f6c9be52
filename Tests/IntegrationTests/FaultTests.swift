import Foundation
import Testing
import TestSupport

/// Every fault of the sandbox against the real program and the real keyring.
@Suite struct FaultTests {
    @Test(arguments: FaultTable.rows)
    func fault(_ row: FaultRow) throws {
        // A form is posted by a browser that knows forms.
        let browser = row.name == "form-post" ? ["browser": "mojoauth-sandbox browse %s"] : [:]
        let signedIn = try SignedIn(profile: browser)
        let before = try signedIn.state()
        try signedIn.sandbox.startFault(row.fault)
        // An answer that is none is waited out: one second stands for the three minutes that a person has.
        let isWaited = row.command == .login && row.message == "timed out" || row.command == .signOut
        let limit = isWaited ? ["--timeout", "1"] : []
        let outcome = try signedIn.world.run("mojoauth-credential", row.command.arguments + limit)
        #expect(outcome.exitCode == row.exitCode, "\(outcome)")
        if row.exitCode == 0 {
            #expect(!outcome.errors.contains("error:"), "\(outcome)")
        } else {
            #expect(outcome.errors.contains("mojoauth-credential: error: "), "\(outcome)")
            #expect(outcome.errors.contains("mojoauth-credential: hint: "), "\(outcome)")
            #expect(
                !row.message.isEmpty && outcome.errors.contains(row.message), "\(row.message) is not in: \(outcome)")
        }
        try expect(row, before, signedIn)
    }

    /// The listing and the table name the same faults.
    @Test func everyFaultHasARow() throws {
        let world = try World(.noBus)
        let listed = try world.run("mojoauth-sandbox", ["faults"])
        let names = Set(
            listed.text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) })
        #expect(names.count >= 45)
        #expect(names == Set(FaultTable.rows.map(\.name)).union(FaultTable.elsewhere.keys))
    }

    private func expect(_ row: FaultRow, _ before: String, _ signedIn: SignedIn) throws {
        let secret = try signedIn.world.secret(signedIn.attributes)
        switch row.stored {
        case .unchanged: #expect(secret == before)
        case .cleared: #expect(secret == nil)
        case .renewed:
            let (old, new) = (try decode(before), try decode(try #require(secret)))
            #expect(new["access_token"] as? String != old["access_token"] as? String)
            #expect(new["needs_refresh"] as? Bool == false && new["error"] == nil)
            if let name = row.keeps { #expect(new[name] as? String == old[name] as? String && new[name] != nil) }
            if let name = row.lacks { #expect(new[name] == nil && old[name] != nil) }
        case .ended:
            let state = try decode(try #require(secret))
            #expect((state["error"] as? [String: Any])?["code"] as? String == "invalid_grant")
            #expect(state["refresh_token"] == nil)
        case .rotated:
            let (old, new) = (try decode(before), try decode(try #require(secret)))
            #expect(new["refresh_token"] as? String != old["refresh_token"] as? String)
            #expect(new["access_token"] as? String == old["access_token"] as? String)
            #expect(new["id_token"] as? String == old["id_token"] as? String)
        }
    }

    private func decode(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}
