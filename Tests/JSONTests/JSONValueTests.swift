import JSON
import Testing

@Suite struct JSONValueTests {
    @Test func roundTripKeepsOrderAndValues() throws {
        let text = #"{"z":1,"a":[true,false,null,-3,1.5],"s":"\"\\/é\n","o":{}}"#
        let value = try JSONValue(parsing: Array(text.utf8))
        #expect(String(decoding: try value.serialized(), as: UTF8.self) == text)
        #expect(value.object?.members.map(\.name) == ["z", "a", "s", "o"])
        #expect(value.object?["s"]?.string == "\"\\/é\n")
    }

    struct BadRow: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let reason: JSONError.Reason
        var testDescription: String { name }
    }

    @Test(arguments: [
        BadRow(name: "empty", text: "", reason: .empty),
        BadRow(name: "blank", text: " \n\t", reason: .empty),
        BadRow(name: "duplicate name", text: #"{"a":1,"a":2}"#, reason: .duplicateName),
        BadRow(name: "duplicate by escape", text: #"{"a":1,"\u0061":2}"#, reason: .duplicateName),
        BadRow(name: "escaped NUL", text: #"{"a":"\u0000"}"#, reason: .malformed),
        BadRow(name: "raw NUL", text: "{\"a\":\"\u{0}\"}", reason: .malformed),
        BadRow(name: "lone surrogate", text: #"{"a":"\ud800"}"#, reason: .malformed),
        BadRow(name: "trailing text", text: "{} x", reason: .malformed),
        BadRow(name: "trailing comma", text: #"{"a":1,}"#, reason: .malformed),
        BadRow(name: "single quotes", text: "{'a':1}", reason: .malformed),
        BadRow(name: "huge integer", text: #"{"a":123456789012345678901234567890}"#, reason: .malformed),
        BadRow(name: "huge real", text: #"{"a":1e999}"#, reason: .malformed),
        BadRow(name: "string at top", text: #""a""#, reason: .notContainer),
        BadRow(name: "number at top", text: "1", reason: .notContainer),
        BadRow(name: "null at top", text: "null", reason: .notContainer),
        BadRow(name: "html", text: "<html></html>", reason: .malformed),
        BadRow(
            name: "deep", text: String(repeating: "[", count: 65) + String(repeating: "]", count: 65), reason: .tooDeep),
        BadRow(name: "very deep", text: String(repeating: "[", count: 100_000), reason: .tooDeep),
    ])
    func refuses(_ row: BadRow) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(row.text.utf8)) }
        #expect(error?.reason == row.reason)
    }

    @Test func refusesInvalidUTF8AndTooLarge() {
        #expect(throws: JSONError.self) { try JSONValue(parsing: [0x5B, 0x22, 0xFF, 0x22, 0x5D]) }
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array("[1,2,3]".utf8), maximumSize: 3) }
        #expect(error?.reason == .tooLarge)
    }

    @Test func writesEmptyStringsAndNonFiniteNumbersAreRefused() throws {
        let value: JSONValue = ["a": ""]
        #expect(String(decoding: try value.serialized(), as: UTF8.self) == #"{"a":""}"#)
        #expect(throws: JSONError.self) { try JSONValue.array([.real(.infinity)]).serialized() }
    }

    @Test func settersReplaceAppendAndRemove() {
        var object = JSONObject()
        object["a"] = 1
        object["b"] = "x"
        object["a"] = 2
        object["b"] = nil
        #expect(JSONValue.object(object) == ["a": 2])
    }
}
