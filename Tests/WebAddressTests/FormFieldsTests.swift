import Testing
import WebAddress

@Suite struct FormFieldsTests {
    @Test func vector() {
        #expect(FormFields.encode("t _9V-F*I+Z1Lk.u7:2/8L+w=") == "t+_9V-F*I%2BZ1Lk.u7%3A2%2F8L%2Bw%3D")
    }

    @Test func parsesPlusAndPercentAlike() {
        #expect(FormFields(parsing: "a=b+c&d=b%20c&e&f=") == FormFields(["a": "b c", "d": "b c", "e": "", "f": ""]))
        #expect(FormFields(parsing: "") == FormFields())
        #expect(FormFields(parsing: "a=1=2")?["a"] == "1=2")
    }

    /// A mark behind them joins the character in front of it, not the byte.
    @Test func isCutAtBytes() {
        #expect(FormFields(parsing: "a=b&\u{301}c=\u{301}d") == FormFields(["a": "b", "\u{301}c": "\u{301}d"]))
        #expect(FormFields(parsing: "a=b&a\u{301}=c")?.repeatedName == nil)
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%00", "%00=a", "a=%FF", "a=%C3%28"])
    func refuses(text: String) {
        #expect(FormFields(parsing: text) == nil)
    }

    @Test func namesARepeatedField() {
        #expect(FormFields(parsing: "a=1&b=2&a=3")?.repeatedName == "a")
        #expect(FormFields(parsing: "a=1&%61=3")?.repeatedName == "a")
        #expect(FormFields(parsing: "a=1&b=2")?.repeatedName == nil)
    }
}
