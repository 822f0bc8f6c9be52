import JSON
import OpenIDConnect
import Testing

/// Reading the claims; holding them against the rules is ``IDTokenRulesTests``.
@Suite struct IDTokenTests {
    static let minimum = #""iss":"https://acme.example","sub":"alice","aud":"c","exp":1700003600,"iat":1700000000"#

    @Test func readsTheMinimum() throws {
        let token = try IDToken(try Fixtures.object("{\(Self.minimum)}"))
        #expect(token.issuer == "https://acme.example")
        #expect(token.subject == "alice")
        #expect(token.audience == ["c"])
        #expect(token.expiresAt == 1_700_003_600)
        #expect(token.issuedAt == 1_700_000_000)
        #expect(token.notBefore == nil && token.authenticatedAt == nil)
        #expect(token.authorizedParty == nil && token.nonce == nil && token.accessTokenHash == nil)
        #expect(token.authenticationContext == nil)
    }

    @Test func readsEverything() throws {
        let token = try IDToken(
            try Fixtures.object(
                """
                {"iss":"i","sub":"s","aud":["a","b"],"exp":9.9,"iat":8.1,"nbf":7,"auth_time":6.75,"azp":"a","nonce":"n",
                "at_hash":"h","acr":"0","email":"alice@example.com","email_verified":true}
                """))
        #expect(token.audience == ["a", "b"])
        #expect(token.expiresAt == 9 && token.issuedAt == 8 && token.notBefore == 7)
        #expect(token.authenticatedAt == 6)
        #expect(token.authorizedParty == "a" && token.nonce == "n" && token.accessTokenHash == "h")
        #expect(token.authenticationContext == "0")
        #expect(token.claims["email"]?.string == "alice@example.com")
    }

    /// Only `sub` is certain: a phone user has no address.
    @Test func readsAPhoneUser() throws {
        let token = try IDToken(try Fixtures.object(#"{\#(Self.minimum),"phone_number":"+41440000000"}"#))
        #expect(token.claims["phone_number"]?.string == "+41440000000")
        #expect(token.claims["email"] == nil)
    }

    @Test(arguments: ["nbf", "auth_time", "azp", "nonce", "at_hash", "acr"])
    func nullIsAbsent(name: String) throws {
        let token = try IDToken(try Fixtures.object(#"{\#(Self.minimum),"\#(name)":null}"#))
        #expect(token.notBefore == nil && token.authenticatedAt == nil && token.nonce == nil)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        /// Replaces the member of its name, or stands beside the others.
        let claim: String
        let value: String?
        let expected: IDTokenError
        var testDescription: String { name }

        init(_ name: String, _ claim: String, _ value: String?, _ expected: IDTokenError) {
            self.name = name
            self.claim = claim
            self.value = value
            self.expected = expected
        }
    }

    static let bad: [Bad] = [
        Bad("no iss", "iss", nil, .missingClaim("iss")),
        Bad("iss null", "iss", "null", .missingClaim("iss")),
        Bad("iss empty", "iss", #""""#, .missingClaim("iss")),
        Bad("iss a number", "iss", "1", .malformedClaim("iss")),
        Bad("iss a list", "iss", #"["https://acme.example"]"#, .malformedClaim("iss")),
        Bad("no sub", "sub", nil, .missingClaim("sub")),
        Bad("sub null", "sub", "null", .missingClaim("sub")),
        Bad("sub empty", "sub", #""""#, .missingClaim("sub")),
        Bad("sub a number", "sub", "42", .malformedClaim("sub")),
        Bad("sub an object", "sub", #"{"id":"alice"}"#, .malformedClaim("sub")),
        Bad("no aud", "aud", nil, .missingClaim("aud")),
        Bad("aud null", "aud", "null", .missingClaim("aud")),
        Bad("aud a number", "aud", "1", .malformedClaim("aud")),
        Bad("aud an object", "aud", #"{"c":true}"#, .malformedClaim("aud")),
        Bad("aud with a number in it", "aud", #"["c",1]"#, .malformedClaim("aud")),
        Bad("aud with null in it", "aud", #"["c",null]"#, .malformedClaim("aud")),
        Bad("aud a list of lists", "aud", #"[["c"]]"#, .malformedClaim("aud")),
        Bad("no exp", "exp", nil, .missingClaim("exp")),
        Bad("exp null", "exp", "null", .missingClaim("exp")),
        Bad("exp a string", "exp", #""1700003600""#, .malformedClaim("exp")),
        Bad("exp a boolean", "exp", "true", .malformedClaim("exp")),
        Bad("exp beyond any integer", "exp", "1e300", .malformedClaim("exp")),
        Bad("exp a list", "exp", "[1700003600]", .malformedClaim("exp")),
        Bad("no iat", "iat", nil, .missingClaim("iat")),
        Bad("iat null", "iat", "null", .missingClaim("iat")),
        Bad("iat a string", "iat", #""now""#, .malformedClaim("iat")),
        Bad("iat beyond any integer", "iat", "-1e300", .malformedClaim("iat")),
        Bad("nbf a string", "nbf", #""1700000000""#, .malformedClaim("nbf")),
        Bad("nbf a list", "nbf", "[]", .malformedClaim("nbf")),
        Bad("auth_time a string", "auth_time", #""1700000000""#, .malformedClaim("auth_time")),
        Bad("auth_time a boolean", "auth_time", "false", .malformedClaim("auth_time")),
        Bad("azp a list", "azp", #"["c"]"#, .malformedClaim("azp")),
        Bad("nonce a number", "nonce", "7", .malformedClaim("nonce")),
        Bad("at_hash a boolean", "at_hash", "true", .malformedClaim("at_hash")),
        Bad("acr a number", "acr", "0", .malformedClaim("acr")),
        Bad("acr a list", "acr", #"["0"]"#, .malformedClaim("acr")),
    ]

    @Test(arguments: bad) func refuses(_ row: Bad) throws {
        var claims = try Fixtures.object("{\(Self.minimum)}")
        claims[row.claim] = try row.value.map { try #require(try Fixtures.object(#"{"v":\#($0)}"#)["v"]) }
        #expect(throws: row.expected) { try IDToken(claims) }
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c.d", "a.!.c", "a.W10.c", "a.YWJj.c", "a.e30=.c", "a..c"])
    func compactFormIsReadStrictly(text: String) {
        #expect(CompactJWT(text) == nil)
    }

    @Test func compactFormGivesTheClaims() {
        #expect(CompactJWT(Fixtures.jwt(#"{"sub":"alice"}"#))?.claims["sub"]?.string == "alice")
        #expect(CompactJWT("a.e30.c")?.claims.isEmpty == true)
        #expect(CompactJWT(Fixtures.jwt(#"{"sub":"a","sub":"b"}"#)) == nil)
    }
}
