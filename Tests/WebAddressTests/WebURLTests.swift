import Testing
import WebAddress

@Suite struct WebURLTests {
    @Test(arguments: [
        ("https://a.example", "https://a.example"),
        ("https://A.example:443/x?env=test", "https://a.example/x?env=test"),
        ("http://[::1]:8/", "http://[::1]:8/"),
        ("https://a.example/p%2Fq?x=%20#f", "https://a.example/p%2Fq?x=%20#f"),
        ("https://u@a.example/", "https://u@a.example/"),
    ])
    func parses(text: String, expected: String) {
        #expect(WebURL(text)?.description == expected)
    }

    @Test(arguments: [
        "", "a.example", "//a.example", "/x", "ftp://a.example", "https://", "https:///x", "https://a.example:/",
        "https://a.example:99999/", "https://a b/", "https://a.example/\r\nx", "https://a.example\\@b",
        "https://%61.example/",
        "https://a.example/é", "javascript:alert(1)", "https://[::1", "https://[fe80::1%25eth0]/", "https:a.example",
        // A mark that joins the slash makes another character of it, and still the same byte ends the host.
        "https://a.example/\u{301}", "https://a.example?\u{301}", "https://%61.example/\u{301}@b",
        "https://a.example:/\u{301}", "https://a.example#\u{6DA}\u{65A}g@v",
    ])
    func refuses(text: String) {
        #expect(WebURL(text) == nil)
    }

    @Test func keepsTheQueryOfAnEndpoint() {
        let fields = FormFields(["a": "b c", "d": "é&="])
        #expect(WebURL("https://a.example/t?env=test")?.adding(query: fields).query == "env=test&a=b+c&d=%C3%A9%26%3D")
        #expect(WebURL("https://a.example/t?")?.adding(query: fields).query == "a=b+c&d=%C3%A9%26%3D")
        #expect(WebURL("https://a.example/t")?.adding(query: fields).query == "a=b+c&d=%C3%A9%26%3D")
    }
}
