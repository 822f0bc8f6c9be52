import HelperCommands
import HelperProtocol
import Program
import Testing

/// "Who may receive a token": a host of our own configuration, whole and exact, and nobody else. Both commands are run,
/// on a login that is not in a keyring; hosts that get nothing get not one byte.
@Suite struct TokenRecipientTests {
    static let hosts = """
        [host git]
        url=https://git.example.com

        [host port]
        url=https://git.example.com:8443

        [host named]
        url=https://named.example.com
        username=x-token

        [host international]
        url=https://bücher.example

        [host six]
        url=https://[2001:db8::1]:8443

        [host loopback]
        url=http://127.0.0.1:3000
        allow-insecure=true

        [host loopback6]
        url=http://[::1]:3000
        allow-insecure=true

        [host dot]
        url=https://dot.example.com.

        [host star]
        url=https://git.star.example
        """

    struct GitRow: Sendable, CustomTestStringConvertible {
        var name: String
        /// Lines of the request, without the last.
        var request: String
        var isServed: Bool
        var testDescription: String { name }

        init(_ name: String, _ request: String, served: Bool) {
            (self.name, self.request, isServed) = (name, request, served)
        }

        static func `for`(_ scheme: String, _ host: String, _ more: String = "", served: Bool) -> GitRow {
            GitRow(
                "\(scheme) \(host) \(more.split(separator: "\n").joined(separator: " "))",
                "protocol=\(scheme)\nhost=\(host)\n\(more)", served: served)
        }
    }

    static let gitRows: [GitRow] = [
        // Host.
        .for("https", "git.example.com", served: true),
        .for("https", "evil-git.example.com", served: false),
        .for("https", "evilgit.example.com", served: false),
        .for("https", "git.example.com.evil.example", served: false),
        .for("https", "example.com", served: false),
        .for("https", "sub.git.example.com", served: false),
        .for("https", "git.example.co", served: false),
        .for("https", "git.example.comm", served: false),
        .for("https", "git-example.com", served: false),
        .for("https", "gitXexample.com", served: false),
        .for("https", "", served: false),
        .for("https", " git.example.com", served: false),
        .for("https", "git.example.com ", served: false),
        .for("https", "*.example.com", served: false),
        .for("https", "*", served: false),
        .for("https", "other.star.example", served: false),
        .for("https", "git.example.com\tx", served: false),
        .for("https", "git.example.com\\.evil.example", served: false),
        .for("https", "git.example.com/.evil.example", served: false),
        .for("https", "git.example.com#.evil.example", served: false),
        .for("https", "git.example.com?.evil.example", served: false),
        .for("https", "git..example.com", served: false),
        .for("https", ".git.example.com", served: false),
        // Trailing dot: another name, unless it is the one that was configured.
        .for("https", "git.example.com.", served: false),
        .for("https", "dot.example.com.", served: true),
        .for("https", "dot.example.com", served: false),
        // Case.
        .for("https", "GIT.example.COM", served: true),
        .for("https", "Git.Example.Com:8443", served: true),
        // Port.
        .for("https", "git.example.com:443", served: true),
        .for("https", "git.example.com:8443", served: true),
        .for("https", "git.example.com:8444", served: false),
        .for("https", "git.example.com:80", served: false),
        .for("https", "git.example.com:84430", served: false),
        .for("https", "git.example.com:0", served: false),
        .for("https", "git.example.com:", served: false),
        .for("https", "git.example.com:ssh", served: false),
        .for("https", "git.example.com:443:443", served: false),
        .for("https", "git.example.com:-443", served: false),
        .for("https", "git.example.com:99999", served: false),
        .for("https", "named.example.com:8443", served: false),
        // Names of other scripts, as A-labels and as they are written.
        .for("https", "xn--bcher-kva.example", served: true),
        .for("https", "bücher.example", served: true),
        .for("https", "BÜCHER.example", served: true),
        .for("https", "bucher.example", served: false),
        .for("https", "xn--bcher-kvb.example", served: false),
        .for("https", "gіt.example.com", served: false),
        .for("https", "xn--gt-jmb.example.com", served: false),
        // To IDNA these are the same name, and so they are to whoever connects.
        .for("https", "git。example。com", served: true),
        .for("https", "git.example.com\u{200B}", served: true),
        // Addresses.
        .for("https", "[2001:db8::1]:8443", served: true),
        .for("https", "[2001:DB8:0:0::1]:8443", served: true),
        .for("https", "[2001:db8::2]:8443", served: false),
        .for("https", "[2001:db8::1]", served: false),
        .for("https", "2001:db8::1:8443", served: false),
        .for("https", "[2001:db8::1%25eth0]:8443", served: false),
        .for("https", "[git.example.com]", served: false),
        // Protocol.
        .for("http", "git.example.com", served: false),
        .for("http", "git.example.com:443", served: false),
        .for("HTTPS", "git.example.com", served: false),
        .for("ssh", "git.example.com", served: false),
        .for("httpsx", "git.example.com", served: false),
        .for("", "git.example.com", served: false),
        .for("ftp", "git.example.com:443", served: false),
        .for("http", "127.0.0.1:3000", served: true),
        .for("https", "127.0.0.1:3000", served: false),
        .for("http", "127.0.0.1", served: false),
        .for("http", "127.0.0.1:3001", served: false),
        .for("http", "127.1:3000", served: false),
        .for("http", "2130706433:3000", served: false),
        .for("http", "localhost:3000", served: false),
        .for("http", "[::1]:3000", served: true),
        .for("http", "[0:0:0:0:0:0:0:1]:3000", served: true),
        .for("http", "[::ffff:127.0.0.1]:3000", served: false),
        .for("http", "127.0.0.1:3000.evil.example", served: false),
        // User information and percent escapes do not belong into a host.
        .for("https", "git.example.com@evil.example", served: false),
        .for("https", "evil.example@git.example.com", served: false),
        .for("https", "user:pw@git.example.com", served: false),
        .for("https", "git%2eexample.com", served: false),
        .for("https", "git.example.com%00.evil.example", served: false),
        .for("https", "%67it.example.com", served: false),
        // The path decides nothing.
        .for("https", "git.example.com", "path=team/private.git\n", served: true),
        .for("https", "evil.example", "path=https://git.example.com/x.git\n", served: false),
        .for("https", "evil.example", "path=/git.example.com\n", served: false),
        GitRow("no host, a path", "protocol=https\npath=git.example.com\n", served: false),
        // The username: none, or ours.
        .for("https", "git.example.com", "username=\n", served: true),
        .for("https", "git.example.com", "username=oauth2\n", served: true),
        .for("https", "git.example.com", "username=alice\n", served: false),
        .for("https", "git.example.com", "username=OAuth2\n", served: false),
        .for("https", "named.example.com", "username=x-token\n", served: true),
        .for("https", "named.example.com", "username=oauth2\n", served: false),
        // What a server says changes nothing.
        .for("https", "evil.example", "wwwauth[]=Basic realm=\"x\" host=git.example.com\n", served: false),
        .for("https", "evil.example", "state[]=mojoauth:host=git.example.com\n", served: false),
        // url= is taken apart; what it hides is refused.
        GitRow("url", "url=https://git.example.com/x.git\n", served: true),
        GitRow("url with our username", "url=https://oauth2@git.example.com/x.git\n", served: true),
        GitRow("url with a username", "url=https://alice@git.example.com/x.git\n", served: false),
        GitRow("url, host in the user information", "url=https://git.example.com@evil.example/x\n", served: false),
        GitRow("url, two at signs", "url=https://git.example.com@x@evil.example/x\n", served: false),
        GitRow("url, host in the query", "url=https://evil.example?https://git.example.com/\n", served: false),
        GitRow("url, a backslash", "url=https://evil.example\\@git.example.com/\n", served: false),
        GitRow("url behind host", "protocol=https\nhost=git.example.com\nurl=https://evil.example/\n", served: false),
        GitRow("host behind url", "url=https://git.example.com/\nhost=evil.example\n", served: false),
        GitRow("two hosts", "protocol=https\nhost=git.example.com\nhost=evil.example\n", served: false),
    ]

    @Test(arguments: gitRows) func gitGetsTheTokenOrNothing(_ row: GitRow) throws {
        for capabilities in ["", "capability[]=authtype\ncapability[]=state\n"] {
            let context = try Fixtures.context(hosts: Self.hosts, caller: .git)
            let request = try GitRequest(parsing: Array((capabilities + row.request + "\n").utf8))
            var output: [UInt8] = []
            // An incomplete request is an error; it gets nothing either.
            if let answer = try? GitCommand(request, context: context).perform("get") { output = answer.output }
            let text = String(decoding: output, as: UTF8.self)
            if row.isServed {
                #expect(text.contains(capabilities.isEmpty ? "password=access-token\n" : "credential=access-token\n"))
            } else {
                #expect(output.isEmpty, "\(text)")
            }
        }
    }

    /// What git refuses to read never comes to a decision.
    @Test(arguments: [
        "protocol=https\nhost=git.example.com\r\n", "protocol=https\r\nhost=git.example.com\n",
        "protocol=https\nhost=git.example.com\u{0}.evil.example\n", "url=https://git.example.com%0a.evil.example/\n",
        "url=https://git.example.com%0d/\n", "url=https://git.example.com%00/\n", "url=git.example.com\n",
        "protocol=https\ngit.example.com\n",
    ]) func badRequestIsNone(_ request: String) {
        #expect(throws: GitProtocolError.self) { try GitRequest(parsing: Array(request.utf8)) }
    }

    static let dockerRows: [(server: String, isServed: Bool)] = [
        ("git.example.com", true), ("https://git.example.com", true), ("https://git.example.com/", true),
        ("git.example.com/v1", true), ("git.example.com/v1/", true), ("git.example.com/v2", true),
        ("https://git.example.com/v2/", true), ("GIT.example.com", true), ("HTTPS://git.example.com", true),
        ("git.example.com:443", true), ("git.example.com:8443", true), ("git.example.com:5000", false),
        ("http://git.example.com", false), ("git.example.com/v3/", false), ("git.example.com/team/image", false),
        ("https://git.example.com/v1/access-token", false), ("evil-git.example.com", false),
        ("git.example.com.evil.example", false), ("git.example.com@evil.example", false),
        ("https://oauth2@git.example.com", false), ("git.example.com.", false), ("git%2eexample.com", false),
        ("https://evil.example/https://git.example.com", false), ("https://evil.example?git.example.com", false),
        ("https://evil.example#git.example.com", false), ("https://evil.example\\.git.example.com", false),
        ("ftp://git.example.com", false), ("ssh://git.example.com:443", false), ("//git.example.com", false),
        ("git.example.com?x", false), ("git.example.com:443:443", false), ("xn--bcher-kva.example", true),
        ("bücher.example", true), ("[2001:db8::1]:8443", true), ("[2001:db8::1]", false), ("127.0.0.1:3000", true),
        ("http://127.0.0.1:3000", true), ("https://127.0.0.1:3000", false), ("localhost:3000", false),
        ("*", false), ("docker.io", false), ("https://index.docker.io/v1/", false),
    ]

    @Test(arguments: dockerRows) func dockerGetsTheTokenOrNothing(_ server: String, _ isServed: Bool) throws {
        let command = DockerCommand(context: try Fixtures.context(hosts: Self.hosts, caller: .docker))
        if isServed {
            let answer = String(decoding: try command.perform("get", Array(server.utf8)), as: UTF8.self)
            #expect(answer.contains("\"Secret\":\"access-token\""))
            #expect(answer.contains("\"ServerURL\":\"\(server)\""))
        } else {
            #expect(throws: DockerError.notFound) { try command.perform("get", Array(server.utf8)) }
        }
    }

    /// Nothing by default.
    /// An entry names the host, however wrong it is: git must not ask a person for a password.
    @Test(arguments: ["profile=nobody", "token=what", "interactive=perhaps"])
    func aFaultyEntryKeepsGitFromAsking(_ line: String) throws {
        let context = try Fixtures.context(hosts: "[host git]\nurl=https://git.example\n\(line)\n", caller: .git)
        let request = try GitRequest(parsing: Array("protocol=https\nhost=git.example\n\n".utf8))
        let answer = try GitCommand(request, context: context).perform("get")
        #expect(String(decoding: answer.output, as: UTF8.self).contains("quit=1\n"))
        #expect(answer.complaint?.exitCode == .configuration)
    }

    @Test func withoutAnEntryNobodyGetsAToken() throws {
        let context = try Fixtures.context(hosts: "", caller: .git)
        let request = try GitRequest(parsing: Array("protocol=https\nhost=git.example.com\n\n".utf8))
        #expect(try GitCommand(request, context: context).perform("get").output.isEmpty)
    }
}
