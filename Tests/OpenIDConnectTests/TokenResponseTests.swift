import OpenIDConnect
import Sensitive
import Testing

/// T8, T12, T13 and the forms of `expires_in`.
@Suite struct TokenResponseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let body: String
        let lifetime: Int
        var testDescription: String { name }

        /// - Parameter rest: members behind an access token and its type.
        init(_ name: String, _ rest: String, lifetime: Int, token: String = "t") {
            self.name = name
            body = #"{"access_token":"\#(token)","token_type":"Bearer"\#(rest)}"#
            self.lifetime = lifetime
        }
    }

    static func read(_ body: String) throws -> TokenResponse {
        try TokenResponse(try Fixtures.object(body), receivedAt: Fixtures.now)
    }

    static let expiries: [Row] = [
        Row("number", #","expires_in":3600"#, lifetime: 3600),
        Row("number with a fraction", #","expires_in":3600.9"#, lifetime: 3600),
        Row("number with an exponent", #","expires_in":3.6e3"#, lifetime: 3600),
        Row("numeric string", #","expires_in":"3600""#, lifetime: 3600),
        Row("zero", #","expires_in":0"#, lifetime: 0),
        Row("one", #","expires_in":1"#, lifetime: 1),
        Row("ten years", #","expires_in":315360000"#, lifetime: 315_360_000),
        Row("date-time", #","expires_in":"2023-11-14T23:13:20Z""#, lifetime: 3600),
        Row("date-time with an offset", #","expires_in":"2023-11-15T00:13:20.5+01:00""#, lifetime: 3600),
        Row("absent, opaque token", "", lifetime: 300),
        Row("null, opaque token", #","expires_in":null"#, lifetime: 300),
        Row("absent, exp in the token", "", lifetime: 120, token: Fixtures.jwt(#"{"exp":1700000120}"#)),
        Row("absent, exp with a fraction", "", lifetime: 120, token: Fixtures.jwt(#"{"exp":1700000120.7}"#)),
        Row(
            "null, exp in the token", #","expires_in":null"#, lifetime: 120, token: Fixtures.jwt(#"{"exp":1700000120}"#)
        ),
        Row("number wins over exp", #","expires_in":60"#, lifetime: 60, token: Fixtures.jwt(#"{"exp":1700000120}"#)),
        Row("absent, token without exp", "", lifetime: 300, token: Fixtures.jwt("{}")),
        Row("absent, exp that is no number", "", lifetime: 300, token: Fixtures.jwt(#"{"exp":"soon"}"#)),
        Row("absent, exp beyond any number", "", lifetime: 300, token: Fixtures.jwt(#"{"exp":1e300}"#)),
        Row("absent, token of two parts", "", lifetime: 300, token: "a.b"),
        Row("absent, token of three parts that is no JSON", "", lifetime: 300, token: "a.YWJj.c"),
    ]

    @Test(arguments: expiries) func readsTheExpiry(_ row: Row) throws {
        let response = try Self.read(row.body)
        #expect(response.receivedAt == Fixtures.now)
        #expect(response.expiresAt - response.receivedAt == row.lifetime)
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        let type: String
        var testDescription: String { type }
    }

    @Test(arguments: ["Bearer", "bearer", "BEARER", "bEaReR"].map(Kind.init))
    func typeIsComparedWithoutCase(_ row: Kind) throws {
        _ = try Self.read(#"{"access_token":"t","token_type":"\#(row.type)"}"#)
    }

    @Test func readsEverything() throws {
        let response = try Self.read(
            #"{"access_token":"a","token_type":"Bearer","expires_in":5,"refresh_token":"r","id_token":"i","scope":"openid"}"#
        )
        #expect(response.accessToken == Secret("a"))
        #expect(response.refreshToken == Secret("r"))
        #expect(response.idToken == Secret("i"))
        #expect(response.scope == "openid")
    }

    /// Absent, null and empty say the same.
    @Test(arguments: [
        "", #","refresh_token":null,"id_token":null,"scope":null"#, #","refresh_token":"","id_token":"","scope":"""#,
    ])
    func whatIsNotThereIsNil(rest: String) throws {
        let response = try Self.read(#"{"access_token":"a","token_type":"Bearer"\#(rest)}"#)
        #expect(response.refreshToken == nil && response.idToken == nil && response.scope == nil)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let body: String
        let expected: TokenResponseError
        var testDescription: String { name }

        init(_ name: String, _ body: String, _ expected: TokenResponseError) {
            self.name = name
            self.body = body
            self.expected = expected
        }

        /// A row that differs from a good answer in one member.
        init(_ name: String, with member: String, token: String = "canary", _ expected: TokenResponseError) {
            self.init(name, #"{"access_token":"\#(token)","token_type":"Bearer",\#(member)}"#, expected)
        }

        /// A row whose token cannot stand in a header.
        init(_ name: String, token: String) {
            self.init(name, #"{"access_token":"\#(token)","token_type":"Bearer"}"#, .malformed("access_token"))
        }

        /// A row whose token has this type.
        init(type: String) {
            self.init("type \(type)", #"{"access_token":"canary","token_type":"\#(type)"}"#, .unusableTokenType(type))
        }
    }

    static let bad: [Bad] = [
        Bad("nothing", "{}", .missingAccessToken),
        Bad("no access token", #"{"token_type":"Bearer"}"#, .missingAccessToken),
        Bad("access token null", #"{"access_token":null,"token_type":"Bearer"}"#, .missingAccessToken),
        Bad("access token empty", #"{"access_token":"","token_type":"Bearer"}"#, .missingAccessToken),
        Bad("access token a number", #"{"access_token":1,"token_type":"Bearer"}"#, .missingAccessToken),
        Bad("access token a list", #"{"access_token":["canary"],"token_type":"Bearer"}"#, .missingAccessToken),
        Bad("access token in other letters", #"{"Access_Token":"canary","token_type":"Bearer"}"#, .missingAccessToken),
        Bad("no type", #"{"access_token":"canary"}"#, .missingTokenType),
        Bad("type null", #"{"access_token":"canary","token_type":null}"#, .missingTokenType),
        Bad("type a list", #"{"access_token":"canary","token_type":["Bearer"]}"#, .missingTokenType),
        Bad(type: "DPoP"),
        Bad(type: "mac"),
        Bad(type: "N_A"),
        Bad(type: ""),
        Bad(type: "Bearer "),
        Bad(type: "Bearer,DPoP"),
        Bad("token with a blank", token: "can ary"),
        Bad("token with a line end", token: #"canary\nhost=evil.example"#),
        Bad("token with a carriage return", token: #"canary\r"#),
        Bad("token with a tab", token: #"canary\t"#),
        Bad("token with an escape", token: #"canary\u001b[2J"#),
        Bad("token with DEL", token: #"canary\u007f"#),
        Bad("token beyond ASCII", token: "canarý"),
        Bad("refresh token a number", with: #""refresh_token":1"#, .malformed("refresh_token")),
        Bad("refresh token a list", with: #""refresh_token":["canary"]"#, .malformed("refresh_token")),
        Bad("refresh token an object", with: #""refresh_token":{"t":"canary"}"#, .malformed("refresh_token")),
        Bad("ID token a boolean", with: #""id_token":true"#, .malformed("id_token")),
        Bad("ID token an object", with: #""id_token":{"sub":"canary"}"#, .malformed("id_token")),
        Bad("scope a list", with: #""scope":["openid"]"#, .malformed("scope")),
        Bad("scope a number", with: #""scope":7"#, .malformed("scope")),
        Bad("expires_in negative", with: #""expires_in":-1"#, .impossibleLifetime(-1)),
        Bad("expires_in a negative string", with: #""expires_in":"-3600""#, .impossibleLifetime(-3600)),
        Bad("expires_in of a negative fraction", with: #""expires_in":-0.5"#, .impossibleLifetime(-1)),
        Bad("expires_in over ten years", with: #""expires_in":315360001"#, .impossibleLifetime(315_360_001)),
        Bad("expires_in in milliseconds", with: #""expires_in":3600000000"#, .impossibleLifetime(3_600_000_000)),
        Bad("expires_in a time", with: #""expires_in":1700003600"#, .impossibleLifetime(1_700_003_600)),
        Bad("expires_in the largest integer", with: #""expires_in":9223372036854775807"#, .malformed("expires_in")),
        Bad("expires_in beyond any integer", with: #""expires_in":1e300"#, .malformed("expires_in")),
        Bad("expires_in a word", with: #""expires_in":"never""#, .malformed("expires_in")),
        Bad("expires_in empty", with: #""expires_in":"""#, .malformed("expires_in")),
        Bad("expires_in with a unit", with: #""expires_in":"3600s""#, .malformed("expires_in")),
        Bad("expires_in with a blank", with: #""expires_in":" 3600""#, .malformed("expires_in")),
        Bad("expires_in in hexadecimal", with: #""expires_in":"0xE10""#, .malformed("expires_in")),
        Bad("expires_in a boolean", with: #""expires_in":true"#, .malformed("expires_in")),
        Bad("expires_in a list", with: #""expires_in":[3600]"#, .malformed("expires_in")),
        Bad("expires_in an object", with: #""expires_in":{"seconds":3600}"#, .malformed("expires_in")),
        Bad("expires_in a date-time gone by", with: #""expires_in":"2023-11-14T22:13:19Z""#, .impossibleLifetime(-1)),
        Bad("expires_in no such day", with: #""expires_in":"2024-02-30T00:00:00Z""#, .malformed("expires_in")),
        Bad(
            "expires_in a date-time without offset", with: #""expires_in":"2024-01-01T00:00:00""#,
            .malformed("expires_in")),
        Bad("exp gone by", with: #""x":1"#, token: Fixtures.jwt(#"{"exp":1699999999}"#), .impossibleLifetime(-1)),
        Bad(
            "exp for ever", with: #""x":1"#, token: Fixtures.jwt(#"{"exp":9000000000}"#),
            .impossibleLifetime(7_300_000_000)),
    ]

    @Test(arguments: bad) func refuses(_ row: Bad) throws {
        let failure = #expect(throws: TokenResponseError.self) { try Self.read(row.body) }
        #expect(failure == row.expected)
        #expect(failure?.description.contains("canar") == false)
    }

    /// The difference to an `exp` from nowhere must not overflow.
    @Test(arguments: ["-9223372036854775808", "-9.2e18", "9.2e18", "-1e18"])
    func refusesAnExpiryFromNowhere(exp: String) {
        #expect(throws: TokenResponseError.self) {
            try Self.read(#"{"access_token":"\#(Fixtures.jwt(#"{"exp":\#(exp)}"#))","token_type":"Bearer"}"#)
        }
    }

    /// T8, at the place where it counts.
    @Test(arguments: [
        #"{"access_token":"a","access_token":"b","token_type":"Bearer"}"#,
        #"{"access_token":"a\u0000","token_type":"Bearer"}"#,
        #"{"access_token":"\ud800","token_type":"Bearer"}"#,
        #"{"access_token":"a","token_type":"Bearer"} {}"#,
        #"["access_token"]"#, "<html>", "",
    ])
    func bodyIsStrictJSON(body: String) {
        #expect(throws: (any Error).self) { try Self.read(body) }
    }

    @Test func everyErrorIsASentence() {
        let errors: [TokenResponseError] = [
            .missingAccessToken, .missingTokenType, .unusableTokenType("DPoP"), .malformed("scope"),
            .impossibleLifetime(-7), .missingIDToken,
        ]
        for error in errors { #expect(error.description.contains("token answer")) }
        #expect(TokenResponseError.unusableTokenType("DPoP").description.contains(#""DPoP""#))
        #expect(TokenResponseError.impossibleLifetime(-7).description.contains("-7"))
    }
}
