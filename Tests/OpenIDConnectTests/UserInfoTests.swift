import JSON
import OpenIDConnect
import Testing

/// "userinfo `sub` equal to the ID token's" of the reference.
@Suite struct UserInfoTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let body: String
        var subject: String? = "alice"
        var failure: UserInfo.Failure?
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(name: "the same subject", body: #"{"sub":"alice","email":"alice@example.com"}"#),
        Row(name: "sub alone", body: #"{"sub":"alice"}"#),
        Row(name: "a login without an ID token", body: #"{"sub":"alice"}"#, subject: nil),
    ])
    func takes(_ row: Row) throws {
        let claims = try Fixtures.object(row.body)
        let info = try UserInfo(claims, subject: row.subject, fetchedAt: 7)
        #expect(info == UserInfo(stored: claims, fetchedAt: 7))
    }

    @Test(arguments: [
        Row(name: "no sub", body: #"{"email":"alice@example.com"}"#, failure: .missingSubject),
        Row(name: "sub null", body: #"{"sub":null}"#, failure: .missingSubject),
        Row(name: "sub empty", body: #"{"sub":""}"#, failure: .missingSubject),
        Row(name: "sub a number", body: #"{"sub":7}"#, failure: .missingSubject),
        Row(name: "no sub, no ID token", body: "{}", subject: nil, failure: .missingSubject),
        Row(name: "somebody else", body: #"{"sub":"bob"}"#, failure: .otherSubject(expected: "alice", found: "bob")),
        Row(
            name: "other letters", body: #"{"sub":"Alice"}"#, failure: .otherSubject(expected: "alice", found: "Alice")),
        Row(
            name: "a blank more", body: #"{"sub":"alice "}"#, failure: .otherSubject(expected: "alice", found: "alice ")
        ),
        Row(
            name: "equal to Swift alone", body: "{\"sub\":\"\u{212A}\"}", subject: "K",
            failure: .otherSubject(expected: "K", found: "\u{212A}")),
    ])
    func refuses(_ row: Row) throws {
        let claims = try Fixtures.object(row.body)
        let failure = #expect(throws: UserInfo.Failure.self) {
            try UserInfo(claims, subject: row.subject, fetchedAt: 7)
        }
        #expect(failure == row.failure)
        if case .otherSubject(let expected, let found) = failure {
            #expect(failure?.description.contains("\"\(found)\"") == true)
            #expect(failure?.description.contains("\"\(expected)\"") == true)
        }
    }
}
