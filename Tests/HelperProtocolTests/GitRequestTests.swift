import HelperProtocol
import Sensitive
import Testing

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite struct GitRequestTests {
    @Test func everyAttribute() throws {
        let request = try GitRequest(
            parsing: bytes(
                """
                capability[]=authtype
                capability[]=state
                protocol=https
                host=git.example.com:8443
                path=a/b.git
                username=alice
                password=p=w d
                password_expiry_utc=1700000000
                oauth_refresh_token=r
                authtype=Bearer
                credential=c
                ephemeral=1
                continue=yes
                wwwauth[]=Basic realm="x"
                wwwauth[]=Bearer
                state[]=other:1
                state[]=mojoauth:2


                """))
        #expect(request.capabilities == [.authtype, .state])
        let credential = request.credential
        #expect(credential.protocol == bytes("https") && credential.host == bytes("git.example.com:8443"))
        #expect(credential.path == bytes("a/b.git") && credential.username == bytes("alice"))
        #expect(credential.password == Secret("p=w d") && credential.passwordExpiry == 1_700_000_000)
        #expect(credential.oauthRefreshToken == Secret("r") && credential.authtype == bytes("Bearer"))
        #expect(credential.credential == Secret("c") && credential.isEphemeral && request.isContinued)
        #expect(request.challenges == [bytes("Basic realm=\"x\""), bytes("Bearer")])
        #expect(request.states.count == 2 && request.ownState == "2")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let holds: @Sendable (GitRequest) -> Bool
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(name: "nothing", text: "") { $0 == GitRequest() },
        Row(name: "a blank line", text: "\n") { $0 == GitRequest() },
        Row(name: "nothing behind the blank line", text: "host=a\n\nhost=b\nno equals sign\n") {
            $0.credential.host == bytes("a")
        },
        Row(name: "no final line feed", text: "protocol=https\nhost=a") { $0.credential.host == bytes("a") },
        Row(name: "no blank line", text: "host=a\n") { $0.credential.host == bytes("a") },
        Row(name: "the last value counts", text: "host=a\nhost=b\n") { $0.credential.host == bytes("b") },
        Row(name: "empty is not absent", text: "username=\npassword=\npath=\n") {
            $0.credential.username == [] && $0.credential.password == Secret("") && $0.credential.path == []
                && $0.credential.host == nil
        },
        Row(name: "blanks are data", text: "username= a \npassword=\t\n") {
            $0.credential.username == bytes(" a ") && $0.credential.password == Secret("\t")
        },
        Row(name: "the first equals sign splits", text: "password==a=b\n") { $0.credential.password == Secret("=a=b") },
        Row(name: "an empty key", text: "=x\n") { $0 == GitRequest() },
        Row(name: "unknown keys", text: "colour=red\nUSERNAME=x\nhost[]=x\n username=x\nusername =x\n") {
            $0 == GitRequest()
        },
        Row(name: "unknown capability", text: "capability[]=telepathy\ncapability[]=Authtype\n") {
            $0.capabilities.isEmpty
        },
        Row(name: "capabilities reset", text: "capability[]=authtype\ncapability[]=\ncapability[]=state\n") {
            $0.capabilities == [.state]
        },
        Row(name: "challenges reset", text: "wwwauth[]=a\nwwwauth[]=\nwwwauth[]=b\n") { $0.challenges == [bytes("b")] },
        Row(name: "states reset", text: "state[]=mojoauth:a\nstate[]=\n") { $0.states.isEmpty && $0.ownState == nil },
        Row(name: "foreign states", text: "state[]=cache:1\nstate[]=mojoauth\nstate[]=xmojoauth:1\n") {
            $0.ownState == nil
        },
        Row(name: "empty state of ours", text: "state[]=mojoauth:\n") { $0.ownState == "" },
        Row(name: "a state that is not UTF-8", text: "state[]=mojoauth:\u{FFFD}\n") { $0.ownState == "\u{FFFD}" },
        Row(name: "a CR in a username is data", text: "username=a\rb\r\n") {
            $0.credential.username == bytes("a\rb\r")
        },
        Row(name: "a challenge with a host in it", text: "wwwauth[]=Basic \rhost=evil\nhost=a\n") {
            $0.credential.host == bytes("a") && $0.challenges.count == 1
        },
        Row(name: "expiry 0", text: "password_expiry_utc=0\n") { $0.credential.passwordExpiry == nil },
        Row(name: "negative expiry", text: "password_expiry_utc=-5\n") { $0.credential.passwordExpiry == nil },
        Row(name: "signed expiry", text: "password_expiry_utc=+5\n") { $0.credential.passwordExpiry == nil },
        Row(name: "expiry with text", text: "password_expiry_utc=5 s\n") { $0.credential.passwordExpiry == nil },
        Row(name: "empty expiry", text: "password_expiry_utc=\n") { $0.credential.passwordExpiry == nil },
        Row(name: "huge expiry", text: "password_expiry_utc=99999999999999999999\n") {
            $0.credential.passwordExpiry == nil
        },
        Row(name: "expiry in Arabic digits", text: "password_expiry_utc=٥\n") { $0.credential.passwordExpiry == nil },
        Row(name: "no final say", text: "ephemeral=true\nephemeral=off\n") { !$0.credential.isEphemeral },
    ])
    func reads(row: Row) throws {
        #expect(row.holds(try GitRequest(parsing: bytes(row.text))))
    }

    @Test(arguments: [
        ("true", true), ("TRUE", true), ("yes", true), ("On", true), ("1", true), ("-1", true), ("2k", true),
        ("1G", true),
        ("false", false), ("no", false), ("OFF", false), ("0", false), ("", false), ("0k", false), ("00", false),
    ])
    func booleansAreThoseOfGitConfig(text: String, value: Bool) throws {
        #expect(try GitRequest(parsing: bytes("ephemeral=\(text)\n")).credential.isEphemeral == value)
    }

    struct BadRow: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let reason: GitProtocolError.Reason
        var testDescription: String { name }
    }

    @Test(arguments: [
        BadRow(name: "a word", text: "hello\n", reason: .notKeyValue(line: 1)),
        BadRow(name: "a word later", text: "host=a\nhello", reason: .notKeyValue(line: 2)),
        BadRow(name: "a blank", text: "host=a\n \nhost=b\n", reason: .notKeyValue(line: 2)),
        BadRow(name: "CRLF as the blank line", text: "username=a\n\r\n", reason: .notKeyValue(line: 2)),
        BadRow(name: "an equals sign only on the next line", text: "host\n=a\n", reason: .notKeyValue(line: 1)),
        BadRow(name: "CR in the host", text: "protocol=https\nhost=a\rhost=b\n", reason: .carriageReturn(key: "host")),
        BadRow(name: "CRLF behind the host", text: "host=a\r\n", reason: .carriageReturn(key: "host")),
        BadRow(name: "CRLF behind the protocol", text: "protocol=https\r\n", reason: .carriageReturn(key: "protocol")),
        BadRow(name: "NUL in the host", text: "host=a\u{0}.evil\n", reason: .nulByte),
        BadRow(name: "NUL in the password", text: "password=a\u{0}b\n", reason: .nulByte),
        BadRow(name: "NUL in an unknown key", text: "x\u{0}=1\n", reason: .nulByte),
        BadRow(name: "NUL behind the end", text: "host=a\n\n\u{0}", reason: .nulByte),
        BadRow(name: "ephemeral=maybe", text: "ephemeral=maybe\n", reason: .notBoolean(key: "ephemeral")),
        BadRow(name: "ephemeral=k", text: "ephemeral=k\n", reason: .notBoolean(key: "ephemeral")),
        BadRow(name: "ephemeral=1x", text: "ephemeral=1x\n", reason: .notBoolean(key: "ephemeral")),
        BadRow(name: "ephemeral with a blank", text: "ephemeral= true\n", reason: .notBoolean(key: "ephemeral")),
        BadRow(name: "continue=2.5", text: "continue=2.5\n", reason: .notBoolean(key: "continue")),
        BadRow(name: "continue with CR", text: "continue=1\r\n", reason: .notBoolean(key: "continue")),
        BadRow(name: "url without a scheme", text: "url=git.example.com\n", reason: .noScheme),
        BadRow(name: "url with an empty scheme", text: "url=://git.example.com\n", reason: .noScheme),
        BadRow(name: "empty url", text: "url=\n", reason: .noScheme),
        BadRow(name: "url with one slash", text: "url=https:/git.example.com\n", reason: .noScheme),
        BadRow(name: "LF in the url's host", text: "url=https://a%0ahost=b/\n", reason: .controlInURL),
        BadRow(name: "LF in capitals", text: "url=https://a%0Ab/\n", reason: .controlInURL),
        BadRow(name: "CR in the url's host", text: "url=https://a%0d/\n", reason: .controlInURL),
        BadRow(name: "NUL in the url's host", text: "url=https://a%00.evil/\n", reason: .controlInURL),
        BadRow(name: "LF in the url's path", text: "url=https://a/b%0ahost=c\n", reason: .controlInURL),
        BadRow(name: "LF in the url's user", text: "url=https://u%0a@a/\n", reason: .controlInURL),
        BadRow(name: "CR in the url's password", text: "url=https://u:p%0d@a/\n", reason: .controlInURL),
        BadRow(name: "LF in the url's query", text: "url=https://a?%0a\n", reason: .controlInURL),
        BadRow(name: "plain CR in the url", text: "url=https://a\r/\n", reason: .controlInURL),
        BadRow(name: "plain CR in the url's scheme", text: "url=ht\rtps://a/\n", reason: .controlInURL),
    ])
    func refuses(row: BadRow) throws {
        let error = #expect(throws: GitProtocolError.self) { try GitRequest(parsing: bytes(row.text)) }
        #expect(error?.reason == row.reason)
        #expect(error?.description.isEmpty == false)
    }

    @Test func errorsQuoteNothing() {
        for text in ["hunter2\n", "host=hunter2\r\n", "ephemeral=hunter2\n", "url=hunter2\n"] {
            let error = #expect(throws: GitProtocolError.self) { try GitRequest(parsing: bytes(text)) }
            #expect(error?.description.contains("hunter2") == false)
        }
    }

    struct URLRow: Sendable, CustomTestStringConvertible {
        let url: String
        var scheme = "https"
        var host = "a.example"
        var path: String?
        var username: String?
        var password: String?
        var testDescription: String { url }
    }

    @Test(arguments: [
        URLRow(url: "https://a.example"), URLRow(url: "https://a.example/"), URLRow(url: "https://a.example///"),
        URLRow(url: "https://a.example:8443", host: "a.example:8443"),
        URLRow(url: "https://a.example/b/c.git", path: "b/c.git"),
        URLRow(url: "https://a.example//b//", path: "b"),
        URLRow(url: "https://u@a.example", username: "u"),
        URLRow(url: "https://u:p@a.example/x", path: "x", username: "u", password: "p"),
        URLRow(url: "https://u:p:q@a.example", username: "u", password: "p:q"),
        URLRow(url: "https://:p@a.example", username: "", password: "p"),
        URLRow(url: "https://@a.example", username: ""),
        URLRow(url: "https://u%40b:p%2Fq@a.example", username: "u@b", password: "p/q"),
        URLRow(url: "https://a.example@evil.example", host: "evil.example", username: "a.example"),
        URLRow(url: "https://u@b@a.example", host: "b@a.example", username: "u"),
        URLRow(url: "https://a.example/x@y:z", path: "x@y:z"),
        URLRow(url: "https://a.example?x=1", path: "?x=1"),
        URLRow(url: "https://a.example#@evil.example", path: "#@evil.example"),
        URLRow(url: "https://a%2eexample", host: "a.example"),
        URLRow(url: "https://a.example/a+b%20c%zz%4", path: "a+b c%zz%4"),
        URLRow(url: "cert:///home/me/key", scheme: "cert", host: "", path: "home/me/key"),
        URLRow(url: "https://", host: ""),
        URLRow(url: "https://[::1]:8080/x", host: "[::1]:8080", path: "x"),
        URLRow(url: "HTTPS://A.example", scheme: "HTTPS", host: "A.example"),
        URLRow(url: "https://a.example/b://c", path: "b://c"),
    ])
    func splitsURLs(row: URLRow) throws {
        let credential = try GitRequest(parsing: bytes("url=\(row.url)\n")).credential
        #expect(credential.protocol == bytes(row.scheme) && credential.host == bytes(row.host))
        #expect(credential.path == row.path.map(bytes) && credential.username == row.username.map(bytes))
        #expect(credential.password == row.password.map { Secret($0) })
    }

    @Test func urlResetsWhatCameBefore() throws {
        let request = try GitRequest(
            parsing: bytes(
                "capability[]=authtype\nusername=u\npath=p\npassword=x\nephemeral=1\nwwwauth[]=Basic\nurl=https://a\nusername=v\n"
            ))
        #expect(request.capabilities == [.authtype] && request.challenges.isEmpty)
        #expect(request.credential.username == bytes("v") && request.credential.path == nil)
        #expect(request.credential.password == nil && !request.credential.isEphemeral)
    }

    @Test func keepsBytesThatAreNotText() throws {
        let all = (UInt8(1)...255).filter { $0 != 0x0A }
        let request = try GitRequest(parsing: bytes("password=") + all + bytes("\nusername=") + all + [0x0A])
        #expect(request.credential.password == Secret(all) && request.credential.username == all)
        #expect(try GitRequest(parsing: bytes("state[]=mojoauth:") + [0xFF]).ownState == nil)
    }

    @Test func aVeryLongChallengeChangesNothing() throws {
        let long = "Basic realm=\"" + String(repeating: "x", count: 1 << 20) + "\" host=evil.example"
        let request = try GitRequest(parsing: bytes("protocol=https\nhost=a\nwwwauth[]=\(long)\nusername=u\n"))
        #expect(request.credential.host == bytes("a") && request.credential.username == bytes("u"))
        #expect(request.challenges.map(\.count) == [long.utf8.count])
    }

    @Test func manyLinesAreReadAndTooManyBytesAreNot() throws {
        let lines = Array(repeating: bytes("x=1\n"), count: 1_000_000).flatMap { $0 }
        #expect(try GitRequest(parsing: lines + bytes("host=a\n")).credential.host == bytes("a"))
        let huge = [UInt8](repeating: UInt8(ascii: "="), count: GitRequest.maximumSize + 1)
        let error = #expect(throws: GitProtocolError.self) { try GitRequest(parsing: huge) }
        #expect(error?.reason == .tooLarge)
    }
}
