import JSON
import OpenIDConnect
import Sensitive
import SessionStore
import Testing

@Suite struct AuthStateCodingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let state: AuthState
        var testDescription: String { name }

        /// `full` or a minimal state after `change`.
        init(_ name: String, full: Bool = false, _ change: (inout AuthState) -> Void = { _ in }) {
            self.name = name
            var state = full ? States.full : States.minimal
            change(&state)
            self.state = state
        }
    }

    static let token = AuthState.AccessToken(secret: Secret("t"), receivedAt: 10, expiresAt: 20)

    static let states: [Row] = [
        Row("nothing optional"),
        Row("everything", full: true),
        Row("access token alone") { $0.storedAccessToken = token },
        Row("refresh token alone") { $0.refreshToken = Secret("r") },
        Row("ID token alone") { $0.storedIDToken = Secret("i") },
        Row("scope alone") { $0.scope = "openid" },
        Row("empty scope") { $0.scope = "" },
        Row("flag alone") { $0.needsRefresh = true },
        Row("error with a text") { $0.authorizationError = .init(domain: "token", code: "c", text: "t") },
        Row("error without a text") { $0.authorizationError = .init(domain: "authorization", code: "c", text: nil) },
        Row("error with an empty text") { $0.authorizationError = .init(domain: "token", code: "", text: "") },
        Row("target by audience") { $0.storedTargetTokens[TokenTarget(audience: "a")] = token },
        Row("target by resource") { $0.storedTargetTokens[TokenTarget(resource: "r")] = token },
        Row("target by both") { $0.storedTargetTokens[TokenTarget(audience: "a", resource: "r")] = token },
        Row("userinfo") {
            $0.userInfo = UserInfo(
                stored: JSONObject([
                    .init(name: "sub", value: "alice"),
                    .init(name: "x", value: [1, .real(1.5), true, .null, ["y": []]]),
                ]), fetchedAt: 7)
        },
        Row("refused target") {
            $0.storedTargetTokens[TokenTarget(audience: "a")] = token
            $0.storedTargetTokens[TokenTarget(audience: "a")]?.isRefused = true
        },
        Row("successor of a refused token") {
            $0.storedAccessToken = token
            $0.storedAccessToken?.replacesRefused = true
        },
        Row("everything but the access token", full: true) { $0.storedAccessToken = nil },
        Row("everything but the refresh token", full: true) { $0.refreshToken = nil },
        Row("everything but the ID token", full: true) { $0.storedIDToken = nil },
        Row("everything but the error", full: true) { $0.authorizationError = nil },
        Row("everything but the scope", full: true) { $0.scope = nil },
        Row("everything but the targets", full: true) { $0.storedTargetTokens = [:] },
        Row("token of lifetime zero") {
            $0.storedAccessToken = .init(secret: Secret("t"), receivedAt: 5, expiresAt: 5)
        },
        Row("times at their edges") {
            $0.storedAccessToken = .init(secret: Secret("t"), receivedAt: 0, expiresAt: 1 << 53 - 1)
            $0.loggedInAt = 0
        },
        Row("characters that JSON escapes") { $0.refreshToken = Secret("a\"b\\c/\u{1}\t\n\u{7F}") },
        Row("characters beyond ASCII") { $0.scope = "é 東京 🔑 \u{202E}" },
        Row("long tokens") { $0.refreshToken = Secret(String(repeating: "x", count: 100_000)) },
    ]

    @Test(arguments: states) func comesBack(_ row: Row) throws {
        #expect(try AuthStateCoding.decode(AuthStateCoding.encode(row.state)) == row.state)
    }

    /// The flag and the error survive saving.
    @Test func errorStillHidesTheTokens() throws {
        let state = try AuthStateCoding.decode(AuthStateCoding.encode(States.full))
        #expect(state.needsRefresh && !state.isAuthorized && state.accessToken == nil && state.idToken == nil)
    }

    /// A copy of what the issuer said must not make the login unreadable.
    @Test func deepUserinfoIsLeftOut() throws {
        func nested(_ depth: Int) throws -> UserInfo {
            let text =
                "{\"sub\":\"alice\",\"x\":" + String(repeating: "[", count: depth - 1)
                + String(repeating: "]", count: depth - 1) + "}"
            let claims = try #require(try JSONValue(parsing: Array(text.utf8)).object)
            return UserInfo(stored: claims, fetchedAt: 7)
        }
        var state = States.full
        state.userInfo = try nested(JSONValue.maximumDepth - 1)
        #expect(try AuthStateCoding.decode(AuthStateCoding.encode(state)) == state)
        state.userInfo = try nested(JSONValue.maximumDepth)
        #expect(try AuthStateCoding.decode(AuthStateCoding.encode(state)) == States.full)
    }

    /// It is a copy: a damaged one is asked for again.
    @Test(arguments: [
        #""userinfo":1"#, #""userinfo":{"sub":"a"}"#, #""userinfo":{},"userinfo_at":-9223372036854775808"#,
    ])
    func damagedUserinfoIsForgotten(members: String) throws {
        let text = Self.goldenMinimal.replacing(#""version":1"#, with: #""version":1,"# + members)
        #expect(try AuthStateCoding.decode(Secret(text)) == States.minimal)
    }

    // MARK: The text of version 1, which later versions must go on reading

    static let goldenMinimal = """
        {"version":1,"needs_refresh":false,"issuer":"https://acme.example","client_id":"mojoauth-cli",\
        "redirect_uri":"http://127.0.0.1:8484/callback",\
        "token_endpoint":"https://acme.example/oauth2/token?env=test","logged_in_at":1600000000}
        """

    static let goldenFull = """
        {"version":1,"access_token":"access","expires_at":1700003600,"received_at":1700000000,"needs_refresh":true,\
        "error":{"domain":"token","code":"invalid_grant","text":"spent"},"refresh_token":"refresh","id_token":"a.b.c",\
        "scope":"openid profile","target_tokens":[\
        {"resource":"https://b.example","access_token":"b","expires_at":6,"received_at":5},\
        {"audience":"api","resource":"https://api.example","access_token":"a","expires_at":4,"received_at":3},\
        {"audience":"registry","access_token":"r","expires_at":2,"received_at":1}],\
        "issuer":"https://acme.example","client_id":"mojoauth-cli",\
        "redirect_uri":"http://127.0.0.1:8484/callback",\
        "token_endpoint":"https://acme.example/oauth2/token?env=test","logged_in_at":1600000000}
        """

    @Test func golden() throws {
        #expect(States.text(States.minimal) == Self.goldenMinimal)
        #expect(States.text(States.full) == Self.goldenFull)
        #expect(try AuthStateCoding.decode(Secret(Self.goldenMinimal)) == States.minimal)
        #expect(try AuthStateCoding.decode(Secret(Self.goldenFull)) == States.full)
    }

    /// What the hot path needs comes first.
    @Test func orderOfMembers() throws {
        let value = try JSONValue(parsing: Array(States.text(States.full).utf8))
        let names = try #require(value.object).members.map(\.name)
        #expect(names.prefix(5) == ["version", "access_token", "expires_at", "received_at", "needs_refresh"])
        #expect(Set(names).count == names.count)
    }

    /// None of these has a place in the keyring after the exchange.
    @Test(arguments: ["code", "code_verifier", "verifier", "state", "nonce", "client_secret"])
    func isNotKept(name: String) throws {
        let value = try JSONValue(parsing: Array(States.text(States.full).utf8))
        #expect(value.object?[name] == nil)
    }

    @Test func oneStateHasOneText() {
        let texts = Set((0..<20).map { _ in States.text(States.full) })
        #expect(texts.count == 1)
    }

    // MARK: Versions

    struct Version: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let number: Int
        var testDescription: String { name }
    }

    @Test(arguments: [
        Version(name: "the next", text: #"{"version":2}"#, number: 2),
        Version(name: "a far one", text: #"{"version":9007199254740993}"#, number: 9_007_199_254_740_993),
        Version(
            name: "with members that we know", text: goldenFull.replacing(#""version":1"#, with: #""version":3"#),
            number: 3),
        Version(
            name: "with members of another form", text: #"{"version":2,"issuer":{"a":1},"access_token":[]}"#, number: 2),
        Version(name: "not in the first place", text: #"{"x":1,"version":2}"#, number: 2),
    ])
    func newerVersionIsRefused(_ row: Version) {
        #expect(throws: AuthStateCoding.Failure.newerVersion(row.number)) {
            try AuthStateCoding.decode(Secret(row.text))
        }
    }

    // MARK: What is not ours

    struct Damage: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var testDescription: String { name }

        init(_ name: String, text: String) {
            self.name = name
            self.text = text
        }

        /// The full text with one piece replaced.
        init(_ name: String, _ piece: String, _ other: String) {
            self.init(name, text: AuthStateCodingTests.goldenFull.replacing(piece, with: other))
        }
    }

    static let damaged: [Damage] = [
        Damage("empty", text: ""),
        Damage("blank", text: " \n"),
        Damage("a password", text: "hunter2"),
        Damage("git's form", text: "hunter2\npassword_expiry_utc=1700000000"),
        Damage("a list", text: "[]"),
        Damage("an empty object", text: "{}"),
        Damage("null", text: "null"),
        Damage("cut in the middle", text: String(goldenFull.prefix(200))),
        Damage("cut by one byte", text: String(goldenFull.dropLast())),
        Damage("something behind", text: goldenFull + "{}"),
        Damage("a NUL behind", text: goldenFull + "\0"),
        Damage("twice", text: goldenFull + goldenFull),
        Damage("no version", #""version":1,"#, ""),
        Damage("version zero", #""version":1"#, #""version":0"#),
        Damage("negative version", #""version":1"#, #""version":-1"#),
        Damage("version a string", #""version":1"#, #""version":"1""#),
        Damage("version with a fraction", #""version":1"#, #""version":1.0"#),
        Damage("version null", #""version":1"#, #""version":null"#),
        Damage("version twice", #""version":1"#, #""version":1,"version":1"#),
        Damage("access token twice", #""access_token":"access""#, #""access_token":"access","access_token":"x""#),
        Damage("access token a number", #""access_token":"access""#, #""access_token":7"#),
        Damage("access token empty", #""access_token":"access""#, #""access_token":"""#),
        Damage("access token with NUL", #""access_token":"access""#, #""access_token":"a\u0000b""#),
        Damage("lone surrogate", #""access_token":"access""#, #""access_token":"\ud800""#),
        Damage("no expiry", #""expires_at":1700003600,"#, ""),
        Damage("expiry a string", #""expires_at":1700003600"#, #""expires_at":"1700003600""#),
        Damage("expiry with a fraction", #""expires_at":1700003600"#, #""expires_at":1700003600.5"#),
        Damage("expiry negative", #""expires_at":1700003600"#, #""expires_at":-1"#),
        Damage("expiry beyond 53 bits", #""expires_at":1700003600"#, #""expires_at":9007199254740992"#),
        Damage("expiry the largest integer", #""expires_at":1700003600"#, #""expires_at":9223372036854775807"#),
        Damage("expiry beyond any integer", #""expires_at":1700003600"#, #""expires_at":99999999999999999999"#),
        Damage("no time of receipt", #""received_at":1700000000,"#, ""),
        Damage("time of receipt negative", #""received_at":1700000000"#, #""received_at":-9223372036854775808"#),
        Damage("no flag", #""needs_refresh":true,"#, ""),
        Damage("flag a number", #""needs_refresh":true"#, #""needs_refresh":1"#),
        Damage("flag a string", #""needs_refresh":true"#, #""needs_refresh":"true""#),
        Damage("flag null", #""needs_refresh":true"#, #""needs_refresh":null"#),
        Damage("error a string", #"{"domain":"token","code":"invalid_grant","text":"spent"}"#, #""invalid_grant""#),
        Damage("error without a code", #""code":"invalid_grant","#, ""),
        Damage("error without a domain", #""domain":"token","#, ""),
        Damage("error's text a number", #""text":"spent""#, #""text":7"#),
        Damage("refresh token a list", #""refresh_token":"refresh""#, #""refresh_token":["refresh"]"#),
        Damage("ID token an object", #""id_token":"a.b.c""#, #""id_token":{}"#),
        Damage("scope a list", #""scope":"openid profile""#, #""scope":["openid"]"#),
        Damage(
            "targets a string",
            text: goldenMinimal.replacing("{\"version\":1", with: #"{"version":1,"target_tokens":"""#)),
        Damage(
            "targets an object",
            text: goldenMinimal.replacing("{\"version\":1", with: #"{"version":1,"target_tokens":{}"#)),
        Damage(
            "target a string",
            text: goldenMinimal.replacing("{\"version\":1", with: #"{"version":1,"target_tokens":["a"]"#)),
        Damage("target without a token", #""access_token":"b","#, ""),
        Damage("target without an expiry", #","expires_at":6"#, ""),
        Damage("refused mark a number", #""audience":"registry""#, #""audience":"registry","refused":1"#),
        Damage("successor's mark a string", #""version":1"#, #""version":1,"replaces_refused":"true""#),
        Damage("target that names nothing", #""audience":"registry","#, ""),
        Damage("target twice", #""audience":"registry""#, #""resource":"https://b.example""#),
        Damage("target's audience a number", #""audience":"registry""#, #""audience":1"#),
        Damage("no issuer", #""issuer":"https://acme.example","#, ""),
        Damage("issuer null", #""issuer":"https://acme.example""#, #""issuer":null"#),
        Damage("no client id", #""client_id":"mojoauth-cli","#, ""),
        Damage("client id a number", #""client_id":"mojoauth-cli""#, #""client_id":1"#),
        Damage("no redirect URI", #""redirect_uri":"http://127.0.0.1:8484/callback","#, ""),
        Damage("no token endpoint", #""token_endpoint":"https://acme.example/oauth2/token?env=test","#, ""),
        Damage("no time of login", #","logged_in_at":1600000000"#, ""),
        Damage("time of login a string", #""logged_in_at":1600000000"#, #""logged_in_at":"then""#),
        Damage("time of login from nowhere", #""logged_in_at":1600000000"#, #""logged_in_at":-9223372036854775808"#),
        Damage("too deep", text: String(repeating: "[", count: 100) + String(repeating: "]", count: 100)),
    ]

    @Test(arguments: damaged) func damageIsRefused(_ row: Damage) {
        #expect(row.text != Self.goldenFull && row.text != Self.goldenMinimal)
        #expect(throws: AuthStateCoding.Failure.damaged) { try AuthStateCoding.decode(Secret(row.text)) }
    }

    @Test func bytesThatAreNotTextAreRefused() {
        for bytes: [UInt8] in [[0xFF, 0xFE], Array(Self.goldenFull.utf8.dropLast(2)) + [0xC3, 0x22, 0x7D], [0]] {
            #expect(throws: AuthStateCoding.Failure.damaged) { try AuthStateCoding.decode(Secret(bytes)) }
        }
    }

    /// A later program of this version may add what we need not know; null is as good as absent.
    @Test func isReadWithMoreAndWithNull() throws {
        let more = Self.goldenMinimal.replacing(
            #""version":1"#,
            with: #""version":1,"added":{"x":[1]},"scope":null,"access_token":null,"error":null,"target_tokens":null"#)
        #expect(try AuthStateCoding.decode(Secret(more)) == States.minimal)
    }

    @Test func saysWhoseLoginItIs() {
        let newer = SessionStoreError.newerVersion(7, profile: "work").description
        #expect(newer.contains(#""work""#) && newer.contains("7"))
        #expect(SessionStoreError.damaged(profile: "work").description.contains(#""work""#))
        let folder = SessionStoreError.lockFolder(path: "/x", reason: "y").description
        #expect(folder.contains("/x") && folder.contains("y"))
        #expect(SessionStoreError.lockTimedOut(seconds: 15).description.contains("15 seconds"))
    }
}
