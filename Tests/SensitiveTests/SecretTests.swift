import Sensitive
import Testing

@Suite struct SecretTests {
    @Test func printsNothing() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        for shown in ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped] {
            #expect(!shown.contains("hunter2"))
        }
        #expect("\(secret)" == "<redacted>")
    }

    @Test(arguments: [
        ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "", false), ("abc", "abd", false),
        ("abc", "ab", false),
    ])
    func comparesByContent(left: String, right: String, equal: Bool) {
        #expect((Secret(left) == Secret(right)) == equal)
    }

    @Test func keepsBytes() {
        let bytes: [UInt8] = [0, 0xFF, 10, 13]
        #expect(Secret(bytes).withBytes { Array($0) } == bytes)
        #expect(Secret(bytes).text == nil)
        #expect(Secret("zürich").text == "zürich")
        #expect(Secret("").isEmpty)
    }
}
