import JSON
import OpenIDConnect
import Sensitive
import Testing

/// T6: every check of an ID token, its edges to the second.
@Suite struct IDTokenRulesTests {
    static let now = Fixtures.now
    static let leeway = 60
    /// OpenID Connect Core section A.3.
    static let accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let claims: [String: JSONValue?]
        var rules: @Sendable (inout IDTokenRules) -> Void
        let algorithm: SignatureAlgorithm
        let expected: IDTokenError?
        var testDescription: String { name }

        /// A token that differs from a good one in `claims` (nil removes one), and rules that differ by `rules`.
        init(
            _ name: String, _ claims: [String: JSONValue?], _ expected: IDTokenError? = nil,
            algorithm: SignatureAlgorithm = .rs256, rules: @escaping @Sendable (inout IDTokenRules) -> Void = { _ in }
        ) {
            self.name = name
            self.claims = claims
            self.rules = rules
            self.algorithm = algorithm
            self.expected = expected
        }
    }

    static func validate(_ row: Row) throws {
        var claims = JSONObject([
            .init(name: "iss", value: .string(Fixtures.issuer)), .init(name: "sub", value: "alice"),
            .init(name: "aud", value: .string(Fixtures.clientID)), .init(name: "exp", value: .integer(now + 3600)),
            .init(name: "iat", value: .integer(now)), .init(name: "nonce", value: "n-0S6_WzA2Mj"),
        ])
        for (name, value) in row.claims { claims[name] = value }
        var rules = IDTokenRules(
            issuer: Fixtures.issuer, clientID: Fixtures.clientID, leeway: leeway, nonce: Secret("n-0S6_WzA2Mj"))
        row.rules(&rules)
        try rules.validate(
            try IDToken(claims), accessToken: Secret(accessToken), algorithm: row.algorithm,
            ceremony: .fixed, now: now)
    }

    /// The rules of a refresh: no nonce was sent, the subject is known.
    static let refresh: @Sendable (inout IDTokenRules) -> Void = {
        $0.nonce = nil
        $0.subject = "alice"
    }

    static let good: [Row] = [
        Row("a good token", [:]),
        Row("aud a list of one", ["aud": [.string(Fixtures.clientID)]]),
        Row("one audience, azp ours", ["azp": .string(Fixtures.clientID)]),
        Row(
            "several audiences, azp ours",
            ["aud": ["api", .string(Fixtures.clientID)], "azp": .string(Fixtures.clientID)]),
        Row("exp one second within the leeway", ["exp": .integer(now - leeway + 1)]),
        Row("exp now", ["exp": .integer(now)]),
        Row("iat at the end of the leeway", ["iat": .integer(now + leeway)]),
        Row("iat 600 s and the leeway ago", ["iat": .integer(now - 600 - leeway)]),
        Row("nbf now", ["nbf": .integer(now)]),
        Row("nbf at the end of the leeway", ["nbf": .integer(now + leeway)]),
        Row("no leeway, exp one second ahead", ["exp": .integer(now + 1)]) { $0.leeway = 0 },
        Row("no leeway, iat now", ["iat": .integer(now)]) { $0.leeway = 0 },
        Row("at_hash of SHA-256", ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ"]),
        Row("at_hash under PS256", ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ"], algorithm: .ps256),
        Row("at_hash under ES256", ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ"], algorithm: .es256),
        Row("at_hash of SHA-384", ["at_hash": .string(hash(.sha384))], algorithm: .rs384),
        Row("at_hash under ES384", ["at_hash": .string(hash(.sha384))], algorithm: .es384),
        Row("at_hash of SHA-512", ["at_hash": .string(hash(.sha512))], algorithm: .ps512),
        Row("auth_time without max_age", ["auth_time": .integer(0)]),
        Row("auth_time at the edge of max_age", ["auth_time": .integer(now - 300 - leeway)]) { $0.maxAge = 300 },
        Row("auth_time with a fraction", ["auth_time": .real(Double(now) - 0.5)]) { $0.maxAge = 300 },
        Row("max_age zero, just authenticated", ["auth_time": .integer(now)]) { $0.maxAge = 0 },
        Row("acr not asked for", ["acr": "0"]),
        Row("acr the first asked", ["acr": "phr"]) { $0.authenticationContexts = ["phr", "mfa"] },
        Row("acr the last asked", ["acr": "mfa"]) { $0.authenticationContexts = ["phr", "mfa"] },
        Row("refresh without a nonce", ["nonce": nil], rules: refresh),
        Row("refresh with the old nonce", [:], rules: refresh),
        Row("refresh of the same subject", ["sub": "alice"], rules: refresh),
    ]

    static func hash(_ function: Ceremony.HashFunction) -> String {
        let digest = Ceremony.fixed.digest(function, Array(accessToken.utf8))
        return Base64URL.encode(digest.prefix(digest.count / 2))
    }

    @Test(arguments: good) func accepts(_ row: Row) throws {
        try Self.validate(row)
    }

    static let badIssuer: [Row] = [
        Row("other issuer", ["iss": "https://evil.example"], wrongIssuer("https://evil.example")),
        Row("issuer with a slash", ["iss": "https://acme.example/"], wrongIssuer("https://acme.example/")),
        Row("issuer in capitals", ["iss": "https://ACME.example"], wrongIssuer("https://ACME.example")),
        Row("issuer with its port", ["iss": "https://acme.example:443"], wrongIssuer("https://acme.example:443")),
        Row("issuer over http", ["iss": "http://acme.example"], wrongIssuer("http://acme.example")),
        Row("issuer without scheme", ["iss": "acme.example"], wrongIssuer("acme.example")),
        Row("issuer below ours", ["iss": "https://acme.example/tenant"], wrongIssuer("https://acme.example/tenant")),
        Row(
            "changed issuer on a refresh", ["iss": "https://evil.example"], wrongIssuer("https://evil.example"),
            rules: refresh),
        Row(
            "issuer equal to Swift alone", ["iss": "https://acme.example/\u{212A}"],
            .wrongIssuer(expected: "https://acme.example/K", found: "https://acme.example/\u{212A}")
        ) { $0.issuer = "https://acme.example/K" },
    ]

    static func wrongIssuer(_ found: String) -> IDTokenError {
        .wrongIssuer(expected: Fixtures.issuer, found: found)
    }

    static let badAudience: [Row] = [
        Row("other audience", ["aud": "other"], .wrongAudience(expected: Fixtures.clientID, found: ["other"])),
        Row("no audience", ["aud": []], .wrongAudience(expected: Fixtures.clientID, found: [])),
        Row("empty audience", ["aud": ""], .wrongAudience(expected: Fixtures.clientID, found: [""])),
        Row(
            "audience in capitals", ["aud": "MOJOAUTH-CLI"],
            .wrongAudience(expected: Fixtures.clientID, found: ["MOJOAUTH-CLI"])),
        Row(
            "audience that starts with ours", ["aud": "mojoauth-cli-2"],
            .wrongAudience(expected: Fixtures.clientID, found: ["mojoauth-cli-2"])),
        // AppAuth takes this one; ours does not.
        Row(
            "other audience, azp ours", ["aud": "other", "azp": .string(Fixtures.clientID)],
            .wrongAudience(expected: Fixtures.clientID, found: ["other"])),
        Row(
            "several audiences, none ours", ["aud": ["a", "b"], "azp": .string(Fixtures.clientID)],
            .wrongAudience(expected: Fixtures.clientID, found: ["a", "b"])),
        Row(
            "several audiences, no azp", ["aud": ["api", .string(Fixtures.clientID)]],
            .missingAuthorizedParty(audience: ["api", Fixtures.clientID])),
        Row(
            "ours twice, no azp", ["aud": [.string(Fixtures.clientID), .string(Fixtures.clientID)]],
            .missingAuthorizedParty(audience: [Fixtures.clientID, Fixtures.clientID])),
        Row(
            "several audiences, azp another", ["aud": ["api", .string(Fixtures.clientID)], "azp": "api"],
            .wrongAuthorizedParty(expected: Fixtures.clientID, found: "api")),
        Row(
            "one audience, azp another", ["azp": "api"],
            .wrongAuthorizedParty(expected: Fixtures.clientID, found: "api")),
        Row("azp empty", ["azp": ""], .wrongAuthorizedParty(expected: Fixtures.clientID, found: "")),
        Row("audience equal to Swift alone", ["aud": "\u{212A}"], .wrongAudience(expected: "K", found: ["\u{212A}"])) {
            $0.clientID = "K"
        },
        Row(
            "azp equal to Swift alone", ["aud": "K", "azp": "\u{212A}"],
            .wrongAuthorizedParty(expected: "K", found: "\u{212A}")
        ) { $0.clientID = "K" },
    ]

    static let badTimes: [Row] = [
        Row("expired an hour ago", ["exp": .integer(now - 3600)], .expired(at: now - 3600, now: now)),
        Row("exp at the end of the leeway", ["exp": .integer(now - leeway)], .expired(at: now - leeway, now: now)),
        Row("exp zero", ["exp": 0], .expired(at: 0, now: now)),
        Row("exp negative", ["exp": -1], .expired(at: -1, now: now)),
        Row("no leeway, exp now", ["exp": .integer(now)], .expired(at: now, now: now)) { $0.leeway = 0 },
        Row(
            "iat one second beyond the leeway", ["iat": .integer(now + leeway + 1)],
            .issuedInTheFuture(at: now + leeway + 1, now: now)),
        Row("iat in milliseconds", ["iat": .integer(now * 1000)], .issuedInTheFuture(at: now * 1000, now: now)),
        Row("no leeway, iat a second ahead", ["iat": .integer(now + 1)], .issuedInTheFuture(at: now + 1, now: now)) {
            $0.leeway = 0
        },
        Row(
            "iat one second too old", ["iat": .integer(now - 600 - leeway - 1)],
            .issuedLongAgo(at: now - 600 - leeway - 1, now: now)),
        Row("no leeway, iat 601 s ago", ["iat": .integer(now - 601)], .issuedLongAgo(at: now - 601, now: now)) {
            $0.leeway = 0
        },
        Row("iat zero", ["iat": 0], .issuedLongAgo(at: 0, now: now)),
        Row(
            "iat too old on a refresh", ["iat": .integer(now - 3600)], .issuedLongAgo(at: now - 3600, now: now),
            rules: refresh),
        Row(
            "nbf one second beyond the leeway", ["nbf": .integer(now + leeway + 1)],
            .notYetValid(from: now + leeway + 1, now: now)),
        Row("no leeway, nbf a second ahead", ["nbf": .integer(now + 1)], .notYetValid(from: now + 1, now: now)) {
            $0.leeway = 0
        },
    ]

    static let badRest: [Row] = [
        Row("no nonce", ["nonce": nil], .missingNonce),
        Row("nonce null", ["nonce": .null], .missingNonce),
        Row("other nonce", ["nonce": "other"], .wrongNonce),
        Row("empty nonce", ["nonce": ""], .wrongNonce),
        Row("nonce in other letters", ["nonce": "N-0s6_wzA2Mj"], .wrongNonce),
        Row("nonce cut by one", ["nonce": "n-0S6_WzA2M"], .wrongNonce),
        Row("changed subject", ["sub": "bob"], .changedSubject(before: "alice", now: "bob"), rules: refresh),
        Row("subject in capitals", ["sub": "Alice"], .changedSubject(before: "alice", now: "Alice"), rules: refresh),
        Row("subject equal to Swift alone", ["sub": "\u{212A}"], .changedSubject(before: "K", now: "\u{212A}")) {
            $0.subject = "K"
        },
        Row("at_hash of another token", ["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], .wrongAccessTokenHash),
        Row("at_hash empty", ["at_hash": ""], .wrongAccessTokenHash),
        Row("at_hash padded", ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ=="], .wrongAccessTokenHash),
        Row(
            "at_hash of another algorithm", ["at_hash": "77QmUPtjPfzWtF2AnpK9RQ"], .wrongAccessTokenHash,
            algorithm: .rs384),
        Row("at_hash of SHA-512 under RS256", ["at_hash": .string(hash(.sha512))], .wrongAccessTokenHash),
        Row(
            "at_hash of the whole digest",
            [
                "at_hash": .string(
                    Base64URL.encode(Ceremony.fixed.digest(.sha256, Array(accessToken.utf8))))
            ], .wrongAccessTokenHash),
        Row("max_age sent, no auth_time", [:], .missingClaim("auth_time")) { $0.maxAge = 300 },
        Row("max_age sent, auth_time null", ["auth_time": .null], .missingClaim("auth_time")) { $0.maxAge = 300 },
        Row(
            "auth_time one second too old", ["auth_time": .integer(now - 300 - leeway - 1)],
            .authenticatedTooLongAgo(at: now - 361, maxAge: 300, now: now)
        ) { $0.maxAge = 300 },
        Row(
            "auth_time a fraction too old", ["auth_time": .real(Double(now - 300 - leeway) - 0.5)],
            .authenticatedTooLongAgo(at: now - 361, maxAge: 300, now: now)
        ) { $0.maxAge = 300 },
        Row(
            "max_age zero, no leeway, a second ago", ["auth_time": .integer(now - 1)],
            .authenticatedTooLongAgo(at: now - 1, maxAge: 0, now: now)
        ) {
            $0.maxAge = 0
            $0.leeway = 0
        },
        Row("acr asked for, absent", [:], .wrongAuthenticationContext(expected: ["mfa"], found: nil)) {
            $0.authenticationContexts = ["mfa"]
        },
        Row("acr asked for, another", ["acr": "0"], .wrongAuthenticationContext(expected: ["phr", "mfa"], found: "0")) {
            $0.authenticationContexts = ["phr", "mfa"]
        },
        Row(
            "acr all of the asked", ["acr": "phr mfa"],
            .wrongAuthenticationContext(expected: ["phr", "mfa"], found: "phr mfa")
        ) {
            $0.authenticationContexts = ["phr", "mfa"]
        },
    ]

    @Test(arguments: badIssuer + badAudience) func refusesOthers(_ row: Row) throws {
        let expected = try #require(row.expected)
        #expect(throws: expected) { try Self.validate(row) }
    }

    @Test(arguments: badTimes) func refusesTimes(_ row: Row) throws {
        let expected = try #require(row.expected)
        #expect(throws: expected) { try Self.validate(row) }
        #expect(expected.description.contains("check the clock"))
        #expect(expected.description.contains("\(Self.now)"))
    }

    @Test(arguments: badRest) func refusesTheRest(_ row: Row) throws {
        let expected = try #require(row.expected)
        #expect(throws: expected) { try Self.validate(row) }
    }

    /// One error per check, and it names both values.
    @Test(arguments: badIssuer + badAudience + badRest) func namesBothValues(_ row: Row) throws {
        let text = try #require(row.expected).description
        let values: [String] =
            switch row.expected {
            case .wrongIssuer(let expected, let found): [expected, found]
            case .wrongAudience(let expected, let found): [expected] + found
            case .missingAuthorizedParty(let audience): audience
            case .wrongAuthorizedParty(let expected, let found): [expected, found]
            case .changedSubject(let before, let now): [before, now]
            case .authenticatedTooLongAgo(let at, let maxAge, let now): ["\(at)", "\(maxAge)", "\(now)"]
            case .wrongAuthenticationContext(let expected, let found): expected + [found ?? "absent"]
            default: []
            }
        for value in values { #expect(text.contains(value)) }
    }

    /// A nonce may be a secret of the browser's; at_hash tells of the access token.
    @Test func neverNamesTheNonce() {
        #expect(!IDTokenError.wrongNonce.description.contains("n-0S6_WzA2Mj"))
        #expect(IDTokenError.missingNonce.description != IDTokenError.wrongNonce.description)
    }

    /// The issuer is looked at first: whatever a stranger's token says is of no interest.
    @Test func checksInOrder() {
        let everything = Row(
            "everything wrong", ["iss": "https://evil.example", "aud": "other", "exp": 0, "nonce": "x"],
            Self.wrongIssuer("https://evil.example"))
        #expect(throws: Self.wrongIssuer("https://evil.example")) { try Self.validate(everything) }
    }
}
