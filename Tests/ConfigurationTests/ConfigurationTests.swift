import Configuration
import Testing
import WebAddress

func configuration(_ text: String) throws -> Configuration {
    try Configuration(texts: [("config", text)])
}

@Suite struct ConfigurationTests {
    private static let profile = "[profile default]\nissuer=https://acme.example\nclient-id=0a1b2c\n"

    @Test func emptyIsFine() throws {
        let empty = try configuration("")
        #expect(empty.profileNames.isEmpty && empty.hosts.isEmpty && empty.notices.isEmpty && empty.problems.isEmpty)
        #expect(empty.defaults == Defaults())
        let origin = try #require(Origin(scheme: "https", authority: "git.example.com"))
        #expect(try empty.hostEntry(for: origin) == nil)
    }

    @Test(arguments: [
        ("the same", "https", "git.example.com", true),
        ("upper case", "https", "GIT.example.COM", true),
        ("default port", "https", "git.example.com:443", true),
        ("other port", "https", "git.example.com:444", false),
        ("http", "http", "git.example.com", false),
        ("http on 443", "http", "git.example.com:443", false),
        ("trailing dot", "https", "git.example.com.", false),
        ("longer name", "https", "evil-git.example.com", false),
        ("name below", "https", "git.example.com.evil.example", false),
        ("parent", "https", "example.com", false),
        ("look-alike", "https", "xn--gt-lka.example.com", false),
    ])
    func findsOneOriginOnly(name: String, scheme: String, authority: String, found: Bool) throws {
        let loaded = try configuration(Self.profile + "[host git]\nurl=https://git.example.com/\n")
        let origin = try #require(Origin(scheme: scheme, authority: authority))
        #expect(try (loaded.hostEntry(for: origin) != nil) == found)
    }

    @Test(arguments: [
        ("https://a.example", "https://a.example"), ("https://a.example/", "https://a.example"),
        ("HTTPS://A.Example", "https://a.example"), ("https://a.example:443", "https://a.example"),
        ("https://a.example:443/", "https://a.example"), ("https://a.example:8443", "https://a.example:8443"),
        ("https://a.example:08443", "https://a.example:8443"), ("https://a.example:80", "https://a.example:80"),
        ("https://a_b-c.example:65535/", "https://a_b-c.example:65535"), ("https://a", "https://a"),
        ("https://a.example.", "https://a.example."), ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"), ("https://10.0.0.1", "https://10.0.0.1"),
        ("https://[2001:DB8:0::1]", "https://[2001:db8::1]"), ("https://[::1]:443/", "https://[::1]"),
    ])
    func anOriginIsFoundHoweverItIsSpelled(url: String, origin: String) throws {
        let loaded = try configuration(Self.profile + "[host a]\nurl=\(url)\n")
        let asked = try #require(WebURL(origin)?.origin)
        let entry = try #require(try loaded.hostEntry(for: asked))
        #expect(entry.origin == asked && entry.origin.description == origin)
    }

    @Test func hostEntryHoldsEveryKey() throws {
        let loaded = try configuration(
            Self.profile + """
                [host git]
                  url = http://127.0.0.1:8080 \u{20}
                profile=default
                username=me
                token=id
                audience=api
                resource=urn:example:api
                min-lifetime=900
                interactive=never
                allow-insecure=true

                """)
        let origin = try #require(Origin(scheme: "http", authority: "127.0.0.1:8080"))
        let entry = try #require(try loaded.hostEntry(for: origin))
        #expect(entry.label == "git" && entry.profileName == "default" && entry.username == "me")
        #expect(entry.tokenKind == .id && entry.audience == "api" && entry.resource == "urn:example:api")
        #expect(entry.minimumLifetime == 900 && entry.interactive == .never && entry.allowsInsecure)
        #expect(entry.file == "config" && entry.line == 4)
        #expect(loaded.notices.isEmpty && loaded.problems.isEmpty)
    }

    @Test func hostEntryHasDefaults() throws {
        let loaded = try configuration(Self.profile + "[host git]\nurl=https://[2001:DB8::1]:8443\n")
        let entry = try #require(loaded.hosts.first)
        #expect(entry.origin.description == "https://[2001:db8::1]:8443")
        #expect(entry.profileName == "default" && entry.username == "oauth2" && entry.tokenKind == .access)
        #expect(entry.audience == nil && entry.resource == nil && entry.minimumLifetime == nil)
        #expect(entry.interactive == nil && !entry.allowsInsecure)
    }

    struct FileRow: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let kind: ConfigurationError.Kind
        let line: Int
        var testDescription: String { name }
    }

    @Test(arguments: [
        FileRow(name: "repeated profile", text: "[profile a]\n[profile b]\n[profile a]\n", kind: .ambiguous, line: 3),
        FileRow(name: "repeated host", text: "[host a]\n\n[host a]\n", kind: .ambiguous, line: 3),
        FileRow(name: "repeated, other blanks", text: "[host a]\n[host  a]\n", kind: .ambiguous, line: 2),
        FileRow(name: "repeated defaults", text: "[defaults]\n[defaults]\n", kind: .ambiguous, line: 2),
        FileRow(
            name: "one origin twice", text: "[host a]\nurl=https://x.example\n[host b]\nurl=https://X.example:443/\n",
            kind: .ambiguous, line: 4),
        FileRow(name: "byte order mark", text: "\u{FEFF}[host a]\n", kind: .malformed, line: 1),
        FileRow(name: "key before a group", text: "# c\nurl=x\n[host a]\n", kind: .malformed, line: 2),
        FileRow(name: "word before a group", text: "hello\n", kind: .malformed, line: 1),
        FileRow(name: "open header", text: "[host a\nurl=https://x.example\n", kind: .malformed, line: 1),
        FileRow(name: "text behind a header", text: "[defaults]\n[host a] # mine\n", kind: .malformed, line: 2),
        FileRow(name: "bracket in a header", text: "[host [::1]]\n", kind: .malformed, line: 1),
        FileRow(name: "empty header", text: "[]\n", kind: .malformed, line: 1),
        FileRow(name: "control character in a header", text: "[host a\u{1}b]\n", kind: .malformed, line: 1),
        FileRow(name: "NUL", text: "[host a]\nurl=https://x.example\u{0}\n", kind: .malformed, line: 2),
        FileRow(name: "foreign", text: "[defaults]\nforeign=drop\n", kind: .invalidValue, line: 2),
        FileRow(name: "foreign in capitals", text: "[defaults]\nforeign=Keep\n", kind: .invalidValue, line: 2),
        FileRow(name: "bus-session", text: "[defaults]\n\nbus-session=none\n", kind: .invalidValue, line: 3),
        FileRow(name: "empty default", text: "[defaults]\nforeign=\n", kind: .invalidValue, line: 2),
        FileRow(name: "no assignment", text: "[defaults]\nforeign\n", kind: .malformed, line: 2),
        FileRow(name: "repeated key", text: "[defaults]\nforeign=keep\nforeign=ignore\n", kind: .ambiguous, line: 3),
    ])
    func refusesTheFile(row: FileRow) throws {
        let error = #expect(throws: ConfigurationError.self) { try configuration(row.text) }
        #expect(error?.kind == row.kind)
        #expect(error?.line == row.line)
        #expect(error?.file == "config")
    }

    struct HostRow: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        /// Who asks; nil when no origin can be known, so that the fault is only among the problems.
        let asks: String?
        var kind = ConfigurationError.Kind.invalidValue
        let line: Int
        let says: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        HostRow(name: "path", text: "url=https://x.example/a", asks: "https://x.example", line: 2, says: "url"),
        HostRow(name: "query", text: "url=https://x.example?a", asks: "https://x.example", line: 2, says: "url"),
        HostRow(name: "two slashes", text: "url=https://x.example//", asks: "https://x.example", line: 2, says: "url"),
        HostRow(name: "user", text: "url=https://me@x.example", asks: "https://x.example", line: 2, says: "url"),
        HostRow(name: "no scheme", text: "url=x.example", asks: "https://x.example", line: 2, says: "https://HOST"),
        HostRow(name: "other scheme", text: "url=ssh://x.example:22", asks: "ssh://x.example:22", line: 2, says: "url"),
        HostRow(name: "wildcard", text: "url=https://*.example", asks: nil, line: 2, says: "url"),
        HostRow(name: "no url", text: "username=me", asks: nil, kind: .missingKey, line: 1, says: "no url"),
        HostRow(name: "empty url", text: "url=", asks: nil, line: 2, says: "empty"),
        HostRow(name: "port 0", text: "url=https://x.example:0", asks: nil, line: 2, says: "url"),
        HostRow(name: "empty port", text: "url=https://x.example:", asks: nil, line: 2, says: "url"),
        HostRow(name: "percent", text: "url=https://x%2eexample", asks: nil, line: 2, says: "url"),
        HostRow(name: "bare IPv6", text: "url=https://::1", asks: nil, line: 2, says: "url"),
        HostRow(
            name: "http", text: "url=http://x.example\nallow-insecure=true", asks: "http://x.example", line: 2,
            says: "loopback"),
        HostRow(
            name: "http that only looks like loopback", text: "url=http://127.0.0.1.example\nallow-insecure=true",
            asks: "http://127.0.0.1.example", line: 2, says: "loopback"),
        HostRow(
            name: "http not allowed", text: "url=http://127.0.0.1:1", asks: "http://127.0.0.1:1", line: 2,
            says: "allow-insecure=true"),
        HostRow(
            name: "http denied", text: "url=http://[::1]:1\nallow-insecure=false", asks: "http://[::1]:1", line: 2,
            says: "allow-insecure=true"),
        HostRow(
            name: "allow-insecure", text: "url=https://x.example\nallow-insecure=yes", asks: "https://x.example",
            line: 3,
            says: "true or false"),
        HostRow(
            name: "token", text: "url=https://x.example\ntoken=refresh", asks: "https://x.example", line: 3,
            says: "access, id"),
        HostRow(
            name: "interactive", text: "url=https://x.example\ninteractive=always", asks: "https://x.example", line: 3,
            says: "auto, never"),
        HostRow(
            name: "min-lifetime", text: "url=https://x.example\nmin-lifetime=-1", asks: "https://x.example", line: 3,
            says: "seconds"),
        HostRow(
            name: "resource without a scheme", text: "url=https://x.example\nresource=api", asks: "https://x.example",
            line: 3, says: "absolute URI"),
        HostRow(
            name: "resource with a fragment", text: "url=https://x.example\nresource=https://a#b",
            asks: "https://x.example", line: 3, says: "absolute URI"),
        HostRow(
            name: "empty user", text: "url=https://x.example\nusername= ", asks: "https://x.example", line: 3,
            says: "empty"),
        HostRow(
            name: "line feed by escape", text: "url=https://x.example\nusername=a\\nb", asks: "https://x.example",
            line: 3, says: "control character"),
        HostRow(
            name: "lone backslash", text: "url=https://x.example\naudience=a\\", asks: "https://x.example", line: 3,
            says: "backslash"),
        HostRow(
            name: "no assignment", text: "url=https://x.example\naudience", asks: "https://x.example", kind: .malformed,
            line: 3, says: "key=value"),
        HostRow(
            name: "repeated url", text: "url=https://x.example\nurl=https://y.example", asks: "https://x.example",
            kind: .ambiguous, line: 3, says: "repeats"),
        HostRow(
            name: "missing profile", text: "url=https://x.example\nprofile=other", asks: "https://x.example",
            kind: .unknownProfile, line: 3, says: "\"other\""),
    ])
    func refusesTheHostAlone(row: HostRow) throws {
        let text = "[host bad]\n\(row.text)\n[host good]\nurl=https://good.example\n" + Self.profile
        let loaded = try configuration(text)
        let good = try #require(Origin(scheme: "https", authority: "good.example"))
        #expect(try loaded.hostEntry(for: good)?.label == "good")
        #expect(loaded.hosts.map(\.label) == ["good"])
        if row.kind == .unknownProfile {
            #expect(loaded.notices.contains { $0.line == row.line && $0.text.contains(row.says) })
        } else {
            let problem = try #require(loaded.problems.first)
            #expect(problem.kind == row.kind && problem.line == row.line)
            #expect(problem.text.contains(row.says) && problem.text.contains("[host bad]"))
        }
        guard let asks = row.asks, let split = asks.firstRange(of: "://"),
            let origin = Origin(scheme: asks[..<split.lowerBound], authority: asks[split.upperBound...])
        else { return }
        let error = #expect(throws: ConfigurationError.self) { try loaded.hostEntry(for: origin) }
        #expect(error?.kind == row.kind && error?.line == row.line)
    }

    @Test func anUnknownProfileIsAnErrorOnlyForWhoAsks() throws {
        let loaded = try configuration(Self.profile)
        let error = #expect(throws: ConfigurationError.self) { try loaded.profile(named: "other") }
        #expect(error?.kind == .unknownProfile)
        #expect(error?.description == "config: there is no profile \"other\"")
    }

    @Test func notices() throws {
        let loaded = try configuration(
            Self.profile
                + "client-secret=hunter2\ncolour=crimson\n[profile]\n[host a b]\n[extra]\nx=y\n[defaults]\nsound=on\n")
        #expect(loaded.problems.isEmpty)
        #expect(loaded.notices.map(\.line) == [4, 5, 6, 7, 8, 11])
        #expect(!loaded.notices.contains { $0.text.contains("hunter2") || $0.text.contains("crimson") })
    }

    @Test func oneBrokenProfileLeavesTheOthers() throws {
        let loaded = try configuration(
            Self.profile + "[profile broken]\nissuer=https://x.example\n[host a]\nurl=https://a.example\n"
                + "[host b]\nurl=https://b.example\nprofile=broken\n")
        #expect(try loaded.profile(named: "default").clientID == "0a1b2c")
        #expect(loaded.problems.map(\.kind) == [.missingKey])
        #expect(loaded.hosts.count == 2)
    }
}
