import JSON
import OpenIDConnect
import Testing
import WebAddress

/// T1 and T2: what an issuer says of itself.
@Suite struct ProviderMetadataTests {
    typealias Endpoint = ProviderMetadata.Endpoint

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let issuer: String
        /// Members that differ from a good document; nil removes one.
        let changes: [String: JSONValue?]
        let overrides: [Endpoint: String]
        let expected: MetadataError?
        var testDescription: String { name }

        init(
            _ name: String, _ changes: [String: JSONValue?] = [:], issuer: String = Fixtures.issuer,
            overrides: [Endpoint: String] = [:], _ expected: MetadataError? = nil
        ) {
            self.name = name
            self.issuer = issuer
            self.changes = changes
            self.overrides = overrides
            self.expected = expected
        }

        func read() throws -> ProviderMetadata {
            var document = JSONObject([.init(name: "issuer", value: .string(issuer))])
            for (name, path) in [
                ("authorization_endpoint", "/oauth/authorize"), ("token_endpoint", "/oauth2/token"),
                ("jwks_uri", "/.well-known/jwks.json"),
            ] {
                document[name] = .string("https://acme.example" + path)
            }
            for (name, value) in changes { document[name] = value }
            return try ProviderMetadata(
                document, issuer: issuer, overrides: try overrides.mapValues { try Fixtures.url($0) })
        }
    }

    static let loopback = "http://127.0.0.1:8484"
    /// All three endpoints on the loopback issuer.
    static let onLoopback: [String: JSONValue?] = [
        "authorization_endpoint": .string(loopback + "/oauth/authorize"),
        "token_endpoint": .string(loopback + "/oauth2/token"),
        "jwks_uri": .string(loopback + "/.well-known/jwks.json"),
    ]

    static let good: [Row] = [
        Row("the least"),
        Row("issuer with a slash at both", ["issuer": "https://acme.example/"], issuer: "https://acme.example/"),
        Row("issuer with a path", ["issuer": "https://acme.example/t/1"], issuer: "https://acme.example/t/1"),
        Row("endpoints at another host", ["token_endpoint": "https://login.acme.example/token"]),
        Row("endpoints at another port", ["token_endpoint": "https://acme.example:8443/token"]),
        Row("test environment", ["token_endpoint": "https://acme.example/oauth2/token?env=test"]),
        Row("loopback issuer over http", onLoopback, issuer: loopback),
        Row("loopback issuer, endpoint over https", ["token_endpoint": "https://acme.example/t"], issuer: loopback),
        Row("loopback issuer by name", onLoopback, issuer: "http://localhost:8484"),
        Row("loopback issuer in IPv6", ["token_endpoint": "http://[::1]:8/t"], issuer: "http://[::1]:8"),
        Row("endpoints null that are not needed", ["revocation_endpoint": .null, "userinfo_endpoint": .null]),
        Row("S256 among the methods", ["code_challenge_methods_supported": ["plain", "S256"]]),
        Row("no methods named", ["code_challenge_methods_supported": .null]),
        Row("code among the response types", ["response_types_supported": ["code", "id_token"]]),
        Row("unknown members", ["x": ["y": [1, 2]]]),
    ]

    @Test(arguments: good) func accepts(_ row: Row) throws {
        let metadata = try row.read()
        #expect(metadata.issuer == row.issuer)
        #expect(metadata.tokenEndpoint == metadata[.token])
        #expect(metadata.authorizationEndpoint == metadata[.authorization])
        #expect(metadata.keySetURL == metadata[.keySet])
    }

    static func mismatch(_ found: String, _ configured: String = Fixtures.issuer) -> MetadataError {
        .issuerMismatch(configured: configured, found: found)
    }

    static let badIssuer: [Row] = [
        Row("no issuer", ["issuer": nil], .missing("issuer")),
        Row("issuer null", ["issuer": .null], .missing("issuer")),
        Row("issuer a list", ["issuer": ["https://acme.example"]], .missing("issuer")),
        Row("issuer empty", ["issuer": ""], mismatch("")),
        Row("slash only in the document", ["issuer": "https://acme.example/"], mismatch("https://acme.example/")),
        Row(
            "slash only in the profile", ["issuer": "https://acme.example"], issuer: "https://acme.example/",
            mismatch("https://acme.example", "https://acme.example/")),
        Row("two slashes", ["issuer": "https://acme.example//"], mismatch("https://acme.example//")),
        Row("capitals", ["issuer": "https://Acme.example"], mismatch("https://Acme.example")),
        Row("default port", ["issuer": "https://acme.example:443"], mismatch("https://acme.example:443")),
        Row("http", ["issuer": "http://acme.example"], mismatch("http://acme.example")),
        Row("other host", ["issuer": "https://evil.example"], mismatch("https://evil.example")),
        Row(
            "host below ours", ["issuer": "https://acme.example.evil.example"],
            mismatch("https://acme.example.evil.example")),
        Row("blank behind", ["issuer": "https://acme.example "], mismatch("https://acme.example ")),
        Row(
            "equal to Swift alone", ["issuer": "https://acme.example/\u{212A}"], issuer: "https://acme.example/K",
            mismatch("https://acme.example/\u{212A}", "https://acme.example/K")),
        Row(
            "http issuer that is not loopback", issuer: "http://acme.example",
            .untrustworthyEndpoint("issuer", "http://acme.example")),
        Row("issuer that is no URL", issuer: "acme.example", .malformed("issuer")),
    ]

    static let badEndpoints: [Row] = [
        Row("no authorization endpoint", ["authorization_endpoint": nil], .missing("authorization_endpoint")),
        Row("no token endpoint", ["token_endpoint": nil], .missing("token_endpoint")),
        Row("no key set", ["jwks_uri": nil], .missing("jwks_uri")),
        Row("token endpoint null", ["token_endpoint": .null], .missing("token_endpoint")),
        Row("token endpoint a number", ["token_endpoint": 1], .malformed("token_endpoint")),
        Row("token endpoint empty", ["token_endpoint": ""], .malformed("token_endpoint")),
        Row("token endpoint a path", ["token_endpoint": "/oauth2/token"], .malformed("token_endpoint")),
        Row(
            "token endpoint with a blank", ["token_endpoint": "https://acme.example/a b"], .malformed("token_endpoint")),
        Row(
            "authorization endpoint javascript", ["authorization_endpoint": "javascript:alert(1)"],
            .malformed("authorization_endpoint")),
        Row(
            "authorization endpoint file", ["authorization_endpoint": "file:///etc/passwd"],
            .malformed("authorization_endpoint")),
        Row(
            "revocation endpoint a list", ["revocation_endpoint": ["https://acme.example/r"]],
            .malformed("revocation_endpoint")),
        Row(
            "token endpoint over http", ["token_endpoint": "http://acme.example/t"],
            .untrustworthyEndpoint("token_endpoint", "http://acme.example")),
        Row(
            "authorization endpoint over http", ["authorization_endpoint": "http://acme.example/a"],
            .untrustworthyEndpoint("authorization_endpoint", "http://acme.example")),
        Row(
            "key set over http", ["jwks_uri": "http://acme.example/k"],
            .untrustworthyEndpoint("jwks_uri", "http://acme.example")),
        Row(
            "userinfo over http", ["userinfo_endpoint": "http://acme.example/u"],
            .untrustworthyEndpoint("userinfo_endpoint", "http://acme.example")),
        Row(
            "end session over http", ["end_session_endpoint": "http://acme.example/l"],
            .untrustworthyEndpoint("end_session_endpoint", "http://acme.example")),
        Row(
            "loopback endpoint of a public issuer", ["token_endpoint": "http://127.0.0.1:8484/t"],
            .untrustworthyEndpoint("token_endpoint", "http://127.0.0.1:8484")),
        Row(
            "localhost endpoint of a public issuer", ["token_endpoint": "http://localhost/t"],
            .untrustworthyEndpoint("token_endpoint", "http://localhost")),
        Row(
            "public http endpoint of a loopback issuer", ["token_endpoint": "http://acme.example/t"], issuer: loopback,
            .untrustworthyEndpoint("token_endpoint", "http://acme.example")),
        Row(
            "host that starts like loopback", ["token_endpoint": "http://127.0.0.1.evil.example/t"], issuer: loopback,
            .untrustworthyEndpoint("token_endpoint", "http://127.0.0.1.evil.example")),
        Row(
            "host that starts like localhost", ["token_endpoint": "http://localhost.evil.example/t"], issuer: loopback,
            .untrustworthyEndpoint("token_endpoint", "http://localhost.evil.example")),
        Row(
            "endpoint with a user", ["token_endpoint": "https://user:pw@acme.example/t"],
            .untrustworthyEndpoint("token_endpoint", "https://acme.example")),
        Row(
            "endpoint with a fragment", ["token_endpoint": "https://acme.example/t#x"],
            .untrustworthyEndpoint("token_endpoint", "https://acme.example")),
        Row(
            "override over http", overrides: [.token: "http://acme.example/t"],
            .untrustworthyEndpoint("token_endpoint", "http://acme.example")),
    ]

    static let badLists: [Row] = [
        Row("plain alone", ["code_challenge_methods_supported": ["plain"]], .noS256),
        Row("no method at all", ["code_challenge_methods_supported": []], .noS256),
        Row("S256 in small letters", ["code_challenge_methods_supported": ["s256"]], .noS256),
        Row(
            "methods a string", ["code_challenge_methods_supported": "S256"],
            .malformed("code_challenge_methods_supported")),
        Row(
            "methods with a number", ["code_challenge_methods_supported": ["S256", 1]],
            .malformed("code_challenge_methods_supported")),
        Row("implicit flow alone", ["response_types_supported": ["id_token", "token"]], .noCodeFlow),
        Row("hybrid flow alone", ["response_types_supported": ["code id_token"]], .noCodeFlow),
        Row("response types a string", ["response_types_supported": "code"], .malformed("response_types_supported")),
        Row("none alone", ["id_token_signing_alg_values_supported": ["none"]], .noAcceptableAlgorithm(["none"])),
        Row(
            "HMAC alone", ["id_token_signing_alg_values_supported": ["HS256", "HS512"]],
            .noAcceptableAlgorithm(["HS256", "HS512"])),
        Row("EdDSA alone", ["id_token_signing_alg_values_supported": ["EdDSA"]], .noAcceptableAlgorithm(["EdDSA"])),
        Row(
            "RS256 in small letters", ["id_token_signing_alg_values_supported": ["rs256"]],
            .noAcceptableAlgorithm(["rs256"])),
        Row("no algorithm", ["id_token_signing_alg_values_supported": []], .noAcceptableAlgorithm([])),
        Row(
            "algorithms a string", ["id_token_signing_alg_values_supported": "RS256"],
            .malformed("id_token_signing_alg_values_supported")),
        Row(
            "algorithms with null", ["id_token_signing_alg_values_supported": ["RS256", .null]],
            .malformed("id_token_signing_alg_values_supported")),
        Row("scopes a string", ["scopes_supported": "openid offline_access"], .malformed("scopes_supported")),
    ]

    @Test(arguments: badIssuer) func refusesTheIssuer(_ row: Row) throws {
        let expected = try #require(row.expected)
        #expect(throws: expected) { try row.read() }
        if case .issuerMismatch(let configured, let found) = expected {
            #expect(expected.description.contains("\"\(configured)\"") && expected.description.contains("\"\(found)\""))
        }
    }

    @Test(arguments: badEndpoints) func refusesAnEndpoint(_ row: Row) throws {
        let expected = try #require(row.expected)
        #expect(throws: expected) { try row.read() }
        #expect(!expected.description.contains("pw"))
    }

    @Test(arguments: badLists) func refusesAList(_ row: Row) throws {
        let expected = try #require(row.expected)
        #expect(throws: expected) { try row.read() }
    }

    @Test func overridesWin() throws {
        let row = Row(
            "overrides", ["token_endpoint": "not a URL", "jwks_uri": nil],
            overrides: [.token: "https://b.example/t?env=test", .keySet: "https://b.example/k"])
        let metadata = try row.read()
        #expect(metadata.tokenEndpoint.description == "https://b.example/t?env=test")
        #expect(metadata.keySetURL.description == "https://b.example/k")
        #expect(metadata.authorizationEndpoint.description == "https://acme.example/oauth/authorize")
    }

    /// A tenant without discovery.
    @Test func worksFromOverridesAlone() throws {
        let all: [Endpoint: String] = [
            .authorization: "https://a.example/a", .token: "https://a.example/t", .keySet: "https://a.example/k",
        ]
        let urls = try all.mapValues { try Fixtures.url($0) }
        let metadata = try ProviderMetadata(issuer: Fixtures.issuer, overrides: urls)
        #expect(metadata.idTokenSigningAlgorithms == Set(SignatureAlgorithm.allCases))
        #expect(metadata.scopesSupported.isEmpty && !metadata.sendsIssuerInAuthorizationResponse)
        for endpoint in all.keys {
            var some = urls
            some[endpoint] = nil
            #expect(throws: MetadataError.missing(endpoint.rawValue)) {
                try ProviderMetadata(issuer: Fixtures.issuer, overrides: some)
            }
        }
    }

    @Test func optionalEndpointsAreUsedWhereListed() throws {
        let metadata = try Row(
            "all",
            [
                "revocation_endpoint": "https://acme.example/r",
                "end_session_endpoint": "https://acme.example/oauth/logout",
            ]
        ).read()
        #expect(metadata[.revocation]?.path == "/r")
        #expect(metadata[.endSession]?.path == "/oauth/logout")
        #expect(metadata[.userinfo] == nil && metadata[.deviceAuthorization] == nil)
    }

    struct Algorithms: Sendable, CustomTestStringConvertible {
        let name: String
        let listed: JSONValue?
        let expected: Set<SignatureAlgorithm>
        var testDescription: String { name }
    }

    @Test(arguments: [
        Algorithms(name: "not listed", listed: nil, expected: Set(SignatureAlgorithm.allCases)),
        Algorithms(name: "null", listed: .null, expected: Set(SignatureAlgorithm.allCases)),
        Algorithms(name: "RS256", listed: ["RS256"], expected: [.rs256]),
        Algorithms(name: "with none and HMAC", listed: ["none", "HS256", "RS256"], expected: [.rs256]),
        Algorithms(name: "several", listed: ["ES384", "PS512", "RS256"], expected: [.es384, .ps512, .rs256]),
        Algorithms(name: "twice", listed: ["RS256", "RS256"], expected: [.rs256]),
    ])
    func algorithmsAreCutDown(_ row: Algorithms) throws {
        let metadata = try Row("", ["id_token_signing_alg_values_supported": row.listed]).read()
        #expect(metadata.idTokenSigningAlgorithms == row.expected)
    }

    @Test(arguments: [
        "none", "None", "NONE", "nOnE", "HS256", "hs256", "HS384", "HS512", "EdDSA", "RSA1_5", "rs256", "",
    ])
    func hasNoCaseFor(name: String) {
        #expect(SignatureAlgorithm(rawValue: name) == nil)
    }

    struct Location: Sendable, CustomTestStringConvertible {
        let issuer: String
        let location: String
        var testDescription: String { issuer }
    }

    /// A trailing slash goes only here.
    @Test(arguments: [
        Location(issuer: "https://acme.example", location: "https://acme.example/.well-known/openid-configuration"),
        Location(issuer: "https://acme.example/", location: "https://acme.example/.well-known/openid-configuration"),
        Location(
            issuer: "https://acme.example/t/1", location: "https://acme.example/t/1/.well-known/openid-configuration"),
        Location(
            issuer: "https://acme.example/t/1/", location: "https://acme.example/t/1/.well-known/openid-configuration"),
        Location(issuer: "http://127.0.0.1:8484", location: "http://127.0.0.1:8484/.well-known/openid-configuration"),
    ])
    func liesAt(_ row: Location) throws {
        #expect(ProviderMetadata.location(issuer: try Fixtures.url(row.issuer)).description == row.location)
    }

    struct Scopes: Sendable, CustomTestStringConvertible {
        let name: String
        let supported: JSONValue?
        let asked: [String]
        let expected: [String]
        var testDescription: String { name }
    }

    /// `offline_access` by itself only when `scopes_supported` lists it.
    @Test(arguments: [
        Scopes(name: "not listed", supported: nil, asked: ["openid"], expected: ["openid"]),
        Scopes(name: "others listed", supported: ["openid", "email"], asked: ["openid"], expected: ["openid"]),
        Scopes(
            name: "listed", supported: ["openid", "offline_access"], asked: ["openid"],
            expected: ["openid", "offline_access"]),
        Scopes(
            name: "listed and asked for", supported: ["offline_access"], asked: ["offline_access", "openid"],
            expected: ["offline_access", "openid"]),
        Scopes(
            name: "asked for though not listed", supported: [], asked: ["openid", "offline_access"],
            expected: ["openid", "offline_access"]),
        Scopes(name: "listed in capitals", supported: ["OFFLINE_ACCESS"], asked: ["openid"], expected: ["openid"]),
    ])
    func offlineAccess(_ row: Scopes) throws {
        let metadata = try Row("", ["scopes_supported": row.supported]).read()
        #expect(metadata.scopes(asked: row.asked) == row.expected)
    }

    @Test(arguments: [JSONValue.bool(true), .bool(false), .null, .string("true"), .integer(1)])
    func issuerInTheRedirectIsPromisedByTrueAlone(value: JSONValue) throws {
        let metadata = try Row("", ["authorization_response_iss_parameter_supported": value]).read()
        #expect(metadata.sendsIssuerInAuthorizationResponse == (value == .bool(true)))
    }

    @Test func everyErrorIsASentence() {
        let errors: [MetadataError] = [
            .missing("x"), .malformed("x"), .issuerMismatch(configured: "a", found: "b"),
            .untrustworthyEndpoint("x", "http://a"), .noS256, .noCodeFlow, .noAcceptableAlgorithm(["none"]),
        ]
        for error in errors { #expect(error.description.count > 20 && !error.description.hasSuffix(".")) }
        #expect(MetadataError.noAcceptableAlgorithm(["none", "HS256"]).description.contains("none, HS256"))
    }
}
