import Testing
import WebAddress

@Suite struct OriginTests {
    @Test(arguments: [
        ("https", "git.example.com", "https://git.example.com"),
        ("https", "git.example.com:443", "https://git.example.com"),
        ("HTTPS", "GIT.Example.COM", "https://git.example.com"),
        ("https", "git.example.com:8443", "https://git.example.com:8443"),
        ("http", "127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http", "[::1]:8080", "http://[::1]:8080"),
        ("https", "[2001:DB8:0:0::1]", "https://[2001:db8::1]"),
        ("https", "bücher.example", "https://xn--bcher-kva.example"),
        ("https", "git.example.com.", "https://git.example.com."),
    ])
    func normalizes(scheme: String, authority: String, expected: String) {
        #expect(Origin(scheme: scheme, authority: authority)?.description == expected)
    }

    @Test(arguments: [
        ("https", ""), ("", "a.example"), ("https", "a.example:"), ("https", "a.example:0"),
        ("https", "a.example:65536"),
        ("https", "a.example:+443"), ("https", "a.example:443x"), ("https", "user@a.example"), ("https", "a.example/x"),
        ("https", "a%2eexample"), ("https", "a.example\r"), ("https", "a b"), ("https", "::1"), ("https", "[::1"),
        ("https", "::1]"), ("https", "[127.0.0.1]"), ("https", "[zz::1]"), ("ssh", "a.example"), ("https", "a\\b"),
        ("https", "a.example\u{0}"), ("1https", "a.example"), ("ht tp", "a.example"),
    ])
    func refuses(scheme: String, authority: String) {
        #expect(Origin(scheme: scheme, authority: authority) == nil)
    }

    @Test(arguments: [
        ("https://a.example", true), ("http://127.0.0.1:1", true), ("http://127.9.9.9", true), ("http://[::1]:9", true),
        ("http://localhost:1", true), ("http://a.example", false), ("http://127.0.0.1.example", false),
        ("http://128.0.0.1", false), ("http://0.0.0.0", false),
    ])
    func trustsHTTPSAndLoopback(url: String, trusted: Bool) {
        #expect(WebURL(url)?.origin.isTrustworthy == trusted)
    }
}
