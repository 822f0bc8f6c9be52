import Login
import Testing

/// Which proxy the environment names, as curl and git read it.
@Suite struct ProxyEnvironmentTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let variables: [String: String]
        var https: String?
        var all: String?
        var exceptions: [String] = []
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(name: "nothing", variables: [:]),
        Row(name: "small letters", variables: ["https_proxy": "http://a:1"], https: "http://a:1"),
        Row(name: "capitals", variables: ["HTTPS_PROXY": "http://a:1"], https: "http://a:1"),
        Row(
            name: "small letters win", variables: ["https_proxy": "http://a:1", "HTTPS_PROXY": "http://b:1"],
            https: "http://a:1"),
        Row(name: "for everything", variables: ["all_proxy": "socks5h://a:1"], all: "socks5h://a:1"),
        Row(name: "for everything, capitals", variables: ["ALL_PROXY": "http://a:1"], all: "http://a:1"),
        Row(
            name: "both", variables: ["https_proxy": "http://a:1", "all_proxy": "http://b:1"], https: "http://a:1",
            all: "http://b:1"),
        Row(name: "of http alone", variables: ["http_proxy": "http://a:1", "HTTP_PROXY": "http://b:1"]),
        Row(
            name: "exceptions", variables: ["https_proxy": "a:1", "no_proxy": "x.example, .y.example,,10.0.0.0/8"],
            https: "a:1", exceptions: ["x.example", ".y.example", "10.0.0.0/8"]),
        Row(name: "exceptions, capitals", variables: ["NO_PROXY": "*"], exceptions: ["*"]),
        Row(name: "exceptions alone", variables: ["no_proxy": "x.example"], exceptions: ["x.example"]),
    ])
    func reads(_ row: Row) {
        let environment = ProxyEnvironment { row.variables[$0] }
        #expect(environment.https == row.https)
        #expect(environment.all == row.all)
        #expect(environment.exceptions == row.exceptions)
        #expect(environment.isSet == (row.https != nil || row.all != nil))
    }
}
