import JSON
import Testing

/// Changing one member of a text leaves every other byte; taking it away again gives the text as it was.
@Suite struct JSONTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var before: String
        var after: String
        init(_ name: String, _ before: String, _ after: String) {
            (self.name, self.before, self.after) = (name, before, after)
        }
        var testDescription: String { name }
    }

    private static func text(_ text: String) throws -> JSONText { try JSONText(Array(text.utf8)) }
    private static func string(_ text: JSONText) -> String { String(decoding: text.bytes, as: UTF8.self) }

    @Test(arguments: [
        Row("nothing in it", "{}", #"{"h": {"s": "m"}}"#),
        Row("a blank in it", "{ }\n", "{\"h\": {\"s\": \"m\"} }\n"),
        Row("compact", #"{"a":1}"#, #"{"a":1,"h":{"s": "m"}}"#),
        Row(
            "docker's tabs", "{\n\t\"a\": {\n\t\t\"b\": {}\n\t}\n}",
            "{\n\t\"a\": {\n\t\t\"b\": {}\n\t},\n\t\"h\": {\n\t\t\"s\": \"m\"\n\t}\n}"),
        Row("two blanks", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"h\": {\n    \"s\": \"m\"\n  }\n}\n"),
        Row(
            "lines of Windows", "{\r\n  \"a\": 1\r\n}\r\n",
            "{\r\n  \"a\": 1,\r\n  \"h\": {\r\n    \"s\": \"m\"\r\n  }\r\n}\r\n"),
        Row("odd blanks", "{ \"a\" :1 ,\"b\" : 2 }", "{ \"a\" :1 ,\"b\" : 2,\"h\" : {\"s\": \"m\"} }"),
        Row("holder last", #"{"a":1,"h":{"x":"y"}}"#, #"{"a":1,"h":{"x":"y","s":"m"}}"#),
        Row(
            "holder first", #"{"h": {"x": "y"}, "a": [1, "}", {"h": {}}]}"#,
            #"{"h": {"x": "y","s": "m"}, "a": [1, "}", {"h": {}}]}"#),
        Row("name with escapes", #"{"\u0068":{"x":"y"}}"#, #"{"\u0068":{"x":"y","s":"m"}}"#),
        Row(
            "braces and quotes in strings", #"{"a":"\"}{\\","h":{"x":"\\\""}}"#,
            #"{"a":"\"}{\\","h":{"x":"\\\"","s":"m"}}"#),
        Row(
            "numbers as written", #"{"n":1.50e+01,"t":true,"z":null}"#,
            #"{"n":1.50e+01,"t":true,"z":null,"h":{"s": "m"}}"#),
        Row("letters beyond ASCII", #"{"ä":"ö"}"#, #"{"ä":"ö","h":{"s": "m"}}"#),
        Row("blanks around all of it", " \n{\"a\":1}\n\n", " \n{\"a\":1,\"h\":{\"s\": \"m\"}}\n\n"),
    ]) func setsAndTakesBack(_ row: Row) throws {
        var text = try Self.text(row.before)
        try text.set("h", "s", to: "m")
        #expect(Self.string(text) == row.after)
        // It is set: nothing changes any more.
        try text.set("h", "s", to: "m")
        #expect(Self.string(text) == row.after)
        #expect(try JSONValue(parsing: text.bytes).object?["h"]?.object?["s"] == "m")
        #expect(try text.remove("h", "s"))
        #expect(Self.string(text) == row.before)
        #expect(try !text.remove("h", "s"))
        #expect(Self.string(text) == row.before)
    }

    @Test(arguments: [
        Row("another value", #"{"h": {"s" : "x" }}"#, #"{"h": {"s" : "m" }}"#),
        Row("a value of another type", #"{"h":{"s":[1,{"a":"]"}],"t":2}}"#, #"{"h":{"s":"m","t":2}}"#),
        Row("an empty holder", "{\"h\": {}}", #"{"h": {"s": "m"}}"#),
    ]) func replaces(_ row: Row) throws {
        var text = try Self.text(row.before)
        try text.set("h", "s", to: "m")
        #expect(Self.string(text) == row.after)
    }

    @Test(arguments: [
        Row("first of several", "{\"h\": {\n  \"s\": 1,\n  \"t\": 2\n}}", "{\"h\": {\n  \"t\": 2\n}}"),
        Row("in the middle", #"{"h":{"r":0, "s":1, "t":2}}"#, #"{"h":{"r":0, "t":2}}"#),
        Row("last of several", #"{"h":{"r":0, "s":1 }}"#, #"{"h":{"r":0 }}"#),
        Row("the only one, holder first", "{\n  \"h\": {\"s\": 1},\n  \"a\": 1\n}", "{\n  \"a\": 1\n}"),
        Row("the only one, holder alone", "{\n\t\"h\": {\n\t\t\"s\": 1\n\t}\n}\n", "{\n}\n"),
        Row("one of that name elsewhere", #"{"a":{"s":1}}"#, #"{"a":{"s":1}}"#),
    ]) func removes(_ row: Row) throws {
        var text = try Self.text(row.before)
        #expect(try text.remove("h", "s") == (row.before != row.after))
        #expect(Self.string(text) == row.after)
    }

    @Test(arguments: [
        "", " ", "[]", "1", "\"h\"", "{", "{}{}", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "{a:1}", "// x\n{}", "\u{FEFF}{}",
        "{\"a\":\"\u{0}\"}",
    ]) func refusesWhatIsNoObject(_ text: String) {
        #expect(throws: JSONError.self) { _ = try Self.text(text) }
    }

    @Test(arguments: [#"{"h":1}"#, #"{"h":[]}"#, #"{"h":null}"#, #"{"h":"{}"}"#]) func refusesAHolderThatIsNone(
        _ before: String
    ) throws {
        var text = try Self.text(before)
        #expect(throws: JSONError.self) { try text.set("h", "s", to: "m") }
        #expect(throws: JSONError.self) { _ = try text.remove("h", "s") }
        #expect(Self.string(text) == before)
    }
}
