import Testing
import TestSupport

/// `explain URL`: the rules, and which of them a URL breaks, without a token.
@Suite(.serialized) struct ExplainTests {
    struct Row: Sendable {
        var url: String
        var exitCode: Int32
        var words: [String]
        init(_ url: String, _ exitCode: Int32, _ words: String...) {
            (self.url, self.exitCode, self.words) = (url, exitCode, words)
        }
    }

    private static let hosts: [String: [String: String]] = [
        "https://git.example.com": [:], "https://git.example.com:8443": ["username": "bob"],
        "http://127.0.0.1:3000": [:], "https://id.example.org": ["token": "id"],
        "https://audience.example.org": ["audience": "build"],
        "https://resource.example.org": ["resource": "urn:build"],
    ]

    private static let rows: [Row] = [
        Row("https://git.example.com", 0, "verdict: https://git.example.com gets a token of profile \"default\"\n"),
        Row("https://git.example.com/team/project.git?a=b#c", 0, "what stands behind the host plays no part"),
        Row("HTTPS://GIT.Example.COM", 0, "git.example.com, compared whole"),
        Row("https://git.example.com:443/", 0, "443, the default of https"),
        Row("https://oauth2@git.example.com", 0, "\"oauth2\", as the entry has it"),
        Row("https://@git.example.com", 0, "none in the URL"),
        Row("https://bob@git.example.com:8443", 0, "the password of \"bob\""),
        Row("http://127.0.0.1:3000/x.git", 0, "allow-insecure=true"),
        Row("https://id.example.org", 0, "the ID token"),
        Row("https://audience.example.org", 0, "an access token for the audience \"build\""),
        Row("https://resource.example.org", 0, "an access token for the resource \"urn:build\""),
        Row("https://bob@git.example.com", 78, "NO   username", "asks for the user \"bob\""),
        Row("https://oauth2:hunter2@git.example.com", 78, "NO   username", "the URL brings a password"),
        Row("https://a%0ab@git.example.com", 78, "NO   username", "none that git would send"),
        Row("https://a%ffb@git.example.com", 78, "NO   username", "none that git would send"),
        Row("http://git.example.com", 78, "NO   scheme", "the scheme is another one: https there"),
        Row("https://git.example.com:444", 78, "NO   entry", "the port is another one: 443 there"),
        Row("https://git.example.com.", 78, "a dot at the end makes it another host"),
        Row("https://evil-git.example.com", 78, "this host only ends like that one"),
        Row("https://sub.git.example.com", 78, "a subdomain of that host is another host"),
        Row("https://example.com", 78, "that host is a subdomain of this one"),
        Row("https://git.example.com.evil.example", 78, "this host only begins like that one"),
        Row("https://git.example.com@evil.example", 78, "host      evil.example,", "stands before the @"),
        Row("https://g\u{456}t.example.com", 78, "xn--gt-", "the ASCII form of other letters", "only looks like"),
        Row("https://git.exampIe.com", 78, "git.exampie.com", "this host only looks like that one"),
        Row("http://localhost:3000", 78, "both are loopback, but hosts are compared as text"),
        Row("http://[::1]:3000", 78, "[::1], compared whole", "both are loopback"),
        Row("http://127.0.0.1:3001", 78, "the port is another one: 3000 there"),
        Row("http://192.0.2.7", 78, "no token goes over http beyond loopback"),
        Row("https://unrelated.example", 78, "no host entry names https://unrelated.example", "foreign=keep"),
    ]

    @Test func goesThroughTheRules() throws {
        let signedIn = try SignedIn(hosts: Self.hosts)
        let token = try signedIn.token()
        let before = try signedIn.state()
        for row in Self.rows {
            let outcome = try signedIn.world.run("mojoauth-credential", ["explain", row.url])
            #expect(outcome.exitCode == row.exitCode, "\(row.url): \(outcome)")
            #expect(outcome.errors.isEmpty, "\(row.url): \(outcome)")
            for word in row.words { #expect(outcome.text.contains(word), "\(row.url): \(word): \(outcome)") }
            let lines = outcome.text.split(separator: "\n")
            #expect(lines.last?.hasPrefix("verdict: ") == true, "\(row.url): \(outcome)")
            #expect(outcome.text.contains("NO ") == (row.exitCode != 0), "\(row.url): \(outcome)")
            #expect(outcome.text.utf8.allSatisfy { $0 < 0x80 }, "\(row.url): \(outcome)")
            for secret in [token, "hunter2"] { #expect(!outcome.text.contains(secret), "\(row.url): \(outcome)") }
        }
        #expect(try signedIn.state() == before)
        let unrelated = try signedIn.world.run("mojoauth-credential", ["explain", "https://unrelated.example"])
        #expect(!unrelated.text.contains("near"), "\(unrelated)")
    }

    @Test(arguments: [
        [], [""], ["git.example.com"], ["ssh://git@git.example.com/x.git"], ["git@git.example.com:x.git"],
        ["ftp://git.example.com"], ["https://"], ["https:///x"], ["https://git.example.com:"],
        ["https://git.example.com:0"], ["https://git.example.com:65536"], ["https://git.example.com:x"],
        ["https://git%2eexample.com"], ["https://git.example.com\\@evil.example"], ["https://git .example.com"],
        ["https://git.example.com/\n"], ["https://[::1"], ["https://user:hunter2@/"],
        ["https://git.example.com", "https://b.example"], ["--no-such", "https://git.example.com"],
    ]) func refusesWhatIsNoURL(_ words: [String]) throws {
        let world = try World(.noBus)
        try world.configure(issuer: "http://127.0.0.1:9", clientID: "cli", hosts: Self.hosts)
        let outcome = try world.run("mojoauth-credential", ["explain"] + words)
        #expect(outcome.exitCode == 64 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.split(separator: "\n").count == 2, "\(outcome)")
        #expect(!outcome.errors.contains("hunter2"), "\(outcome)")
        if words == ["git.example.com"] { #expect(outcome.errors.contains("hint: say https://git.example.com\n")) }
    }

    @Test func missingLoginAloneIsSaidAsSuch() throws {
        let world = try World()
        try world.configure(issuer: "http://127.0.0.1:9", clientID: "cli", hosts: [SignedIn.host: [:]])
        let outcome = try world.run("mojoauth-credential", ["explain", SignedIn.host])
        #expect(outcome.exitCode == 77 && outcome.text.contains("would get a token after 'mojoauth-credential login'"))
        // Configuration counts before a login that would not help.
        let other = try world.run("mojoauth-credential", ["explain", "https://bob@git.example.com"])
        #expect(other.exitCode == 78, "\(other)")
    }

    @Test func keyringThatCannotBeReachedIsNoMissingLogin() throws {
        let world = try World(.noBus)
        try world.configure(issuer: "http://127.0.0.1:9", clientID: "cli", hosts: [SignedIn.host: [:]])
        let outcome = try world.run("mojoauth-credential", ["explain", SignedIn.host])
        #expect(outcome.exitCode == 69 && outcome.text.contains("session bus"), "\(outcome)")
        let foreign = try world.run("mojoauth-credential", ["explain", "https://unrelated.example"])
        #expect(foreign.exitCode == 78, "\(foreign)")
    }

    @Test func lockedKeyringIsNotUnlocked() throws {
        let signedIn = try SignedIn()
        let prompter = try MockPrompter(in: signedIn.world, [.password(KeyringDaemon.password)])
        try signedIn.world.startKeyring(password: "another", prompter: prompter)
        signedIn.world.set(["DISPLAY": ":0"])
        let outcome = try signedIn.world.run("mojoauth-credential", ["explain", SignedIn.host])
        #expect(outcome.exitCode == 0 && outcome.text.contains("the keyring is locked"), "\(outcome)")
        let again = try signedIn.world.run("mojoauth-credential", ["explain", SignedIn.host])
        #expect(again.text.contains("the keyring is locked"), "\(again)")
    }

    @Test(arguments: [
        ("[host git]\nurl=https://git.example.com\nprofile=gone\n", "gone"),
        ("[host git]\nurl=https://git.example.com\ntoken=both\n", "token"),
        ("[host git]\nurl=https://git.example.com/path\n", "url"),
        (
            "[host git]\nurl=https://git.example.com\nprofile=bare\n\n[profile bare]\nissuer=https://a.example\n",
            "client-id"
        ),
        (
            "[host git]\nurl=https://git.example.com\nprofile=secret\n\n[profile secret]\nissuer=https://a.example\nclient-id=b\nclient-auth=basic\n",
            "no client secret is in the keyring"
        ),
        ("[defaults]\nforeign=ignore\n", "foreign=ignore"),
    ]) func namesTheFaultOfTheConfiguration(_ text: String, _ word: String) throws {
        let world = try World()
        try world.writeConfiguration("[profile default]\nissuer=https://acme.example\nclient-id=cli\n\n" + text)
        let outcome = try world.run("mojoauth-credential", ["explain", SignedIn.host])
        #expect(outcome.exitCode == 78 && outcome.text.contains(word), "\(outcome)")
    }

    @Test func tellsWhoMayOpenALoginNow() throws {
        let world = try World()
        try world.configure(issuer: "http://127.0.0.1:9", clientID: "cli", hosts: [SignedIn.host: [:]])
        func text(_ environment: [String: String?]) throws -> String {
            try world.run(
                "setsid", ["--wait", "mojoauth-credential", "explain", SignedIn.host], environment: environment
            ).text
        }
        let desktop = try text(["DISPLAY": ":0"])
        #expect(desktop.contains("git       may open a login now"), "\(desktop)")
        #expect(desktop.contains("docker    opens no login now: docker opens none unless"), "\(desktop)")
        #expect(try text(["DISPLAY": nil]).contains("git       opens no login now: nobody is there"))
        #expect(try text(["DISPLAY": ":0", "GCM_INTERACTIVE": "never"]).contains("GCM_INTERACTIVE or git's"))
    }

    @Test func reportsAsJSON() throws {
        let signedIn = try SignedIn()
        let good = try signedIn.world.run("mojoauth-credential", ["explain", "--json", SignedIn.host])
        #expect(good.exitCode == 0 && good.text.contains("\"verdict\": \"token\""), "\(good)")
        let bad = try signedIn.world.run("mojoauth-credential", ["explain", "--json", "https://example.com"])
        #expect(bad.exitCode == 78 && bad.text.contains("\"verdict\": \"refused\""), "\(bad)")
        #expect(bad.text.contains("\"rule\": \"entry\"") && bad.text.contains("\"result\": \"fails\""), "\(bad)")
        #expect(!good.text.contains(try signedIn.token()))
    }
}
