import HelperProtocol
import Testing
import WebAddress

@Suite struct DockerServerTests {
    @Test(arguments: [
        ("a.example", "a.example"), ("a.example", "A.Example"), ("a.example", "a.example/"),
        ("a.example", "a.example/v1"),
        ("a.example", "a.example/v1/"), ("a.example", "a.example/v2"), ("a.example", "a.example/v2/"),
        ("a.example", "https://a.example"), ("a.example", "http://a.example"), ("a.example", "HTTPS://a.example/v1/"),
        ("https://a.example", "https://a.example/v2/"), ("a.example:5000", "http://a.example:5000/"),
        ("docker.io", "index.docker.io"), ("docker.io", "https://index.docker.io/v1/"),
        ("registry-1.docker.io", "https://index.docker.io/v1/"), ("docker.io", "docker.io:443"),
        ("[::1]:5000", "http://[::1]:5000"), ("[0:0::1]:5000", "[::1]:5000"),
        ("https://index.docker.io/v1/refresh-token", "docker.io/v1/refresh-token"),
        (" a.example\n", "a.example"), ("bücher.example", "xn--bcher-kva.example"), ("a b", "a b"),
        ("https://me@a.example", "https://me@a.example"),
    ])
    func areOne(one: String, other: String) throws {
        #expect(try DockerServer(one).matches(DockerServer(other)))
        #expect(try DockerServer(other).matches(DockerServer(one)))
    }

    @Test(arguments: [
        ("https://a.example", "http://a.example"), ("a.example", "b.example"), ("a.example", "a.example."),
        ("a.example", "evil-a.example"), ("a.example", "a.example.evil.example"), ("a.example", "a.example:443"),
        ("a.example:5000", "a.example:5001"), ("a.example", "a.example/v3"), ("a.example", "a.example/V2/"),
        ("a.example", "a.example//"), ("a.example", "a.example/v2/x"), ("a.example/x", "a.example/x/"),
        ("a.example/x", "a.example/X"), ("a.example", "a.example?x"), ("a.example", "a.example#x"),
        ("docker.io", "hub.docker.io"), ("docker.io", "docker.io:5000"),
        ("https://index.docker.io/v1/", "https://index.docker.io/v1/access-token"),
        ("https://index.docker.io/v1/access-token", "https://index.docker.io/v1/refresh-token"),
        ("a.example", "me@a.example"), ("a.example", "a.example@evil.example"), ("a b", "a  b"), ("a b", "A b"),
        ("a.example", "a%2eexample"), ("127.0.0.1", "localhost"), ("[::1]", "::1"), ("://a.example", "a.example"),
    ])
    func areTwo(one: String, other: String) throws {
        #expect(try !DockerServer(one).matches(DockerServer(other)))
        #expect(try !DockerServer(other).matches(DockerServer(one)))
    }

    @Test(arguments: [
        ("a.example", ["https://a.example"]), ("https://a.example/v1/", ["https://a.example"]),
        ("http://a.example", ["http://a.example"]), ("a.example:443", ["https://a.example"]),
        ("a.example:5000", ["https://a.example:5000"]),
        ("localhost:5000", ["https://localhost:5000", "http://localhost:5000"]),
        ("127.0.0.1", ["https://127.0.0.1", "http://127.0.0.1"]),
        ("https://127.0.0.1:5000", ["https://127.0.0.1:5000"]),
        ("http://[::1]:5000/v2/", ["http://[::1]:5000"]),
        ("docker.io", ["https://docker.io", "https://index.docker.io", "https://registry-1.docker.io"]),
        ("a.example/team", []), ("https://index.docker.io/v1/access-token", []), ("ftp://a.example", []),
        ("ftp://a.example:21", []), ("me@a.example", []), ("a b", []), ("https://", []), ("/", []), ("a.example:x", []),
        ("a.example:", []), ("*.example", []), ("a.example@evil.example", []), ("a.example?", []),
    ])
    func originsToAskFor(text: String, origins: [String]) throws {
        #expect(try DockerServer(text).origins.map(\.description) == origins)
    }

    @Test func theSpellingIsKept() throws {
        #expect(try DockerServer(" HTTPS://A.example/v1/\r\n").spelling == "HTTPS://A.example/v1/")
    }

    @Test(arguments: ["", " ", "\n", "\t\r\n "])
    func refusesNothing(text: String) {
        #expect(throws: DockerError.noServer) { try DockerServer(parsing: bytes(text)) }
    }

    @Test(arguments: [
        bytes("a\nb"), bytes("a\u{0}"), bytes("a\u{1B}[31m"), bytes("a\u{7F}b"), bytes("\u{0}"), [0xFF],
        bytes("a") + [0xC3],
    ])
    func refusesWhatIsNoText(input: [UInt8]) {
        let error = #expect(throws: DockerError.self) { try DockerServer(parsing: input) }
        #expect(error != .noServer && error != .notFound)
    }
}
