import JOSE
import JSON
import OpenIDConnect
import Testing

@Suite struct KeySetTests {
    struct GoodRow: Sendable, CustomTestStringConvertible {
        let name: String
        var header = #"{"alg":"RS256","kid":"rsa"}"#
        var signer = Tokens.rsa
        var types: Set<String> = ["jwt", "jose"]
        var keys: @Sendable () throws -> [JSONValue] = { [try Tokens.jwk(Tokens.rsa), try Tokens.jwk(Tokens.p256)] }
        var testDescription: String { name }
    }

    @Test(arguments: [
        GoodRow(name: "kid names the key"),
        GoodRow(name: "typ JWT", header: #"{"alg":"RS256","kid":"rsa","typ":"JWT"}"#),
        GoodRow(name: "typ jwt in small letters", header: #"{"alg":"RS256","kid":"rsa","typ":"jwt"}"#),
        GoodRow(name: "typ application/jwt", header: #"{"alg":"RS256","kid":"rsa","typ":"application/JWT"}"#),
        GoodRow(
            name: "at+jwt where it is wanted", header: #"{"alg":"RS256","kid":"rsa","typ":"at+jwt"}"#, types: ["at+jwt"]
        ),
        GoodRow(
            name: "jku, x5u, jwk and x5c are ignored",
            header:
                #"{"alg":"RS256","kid":"rsa","jku":"https://evil.example","x5u":"u","jwk":{"kty":"oct"},"x5c":["x"]}"#),
        GoodRow(name: "unknown members are ignored", header: #"{"alg":"RS256","kid":"rsa","x-ours":{"a":[1]}}"#),
        GoodRow(name: "no kid, one key fits", header: #"{"alg":"RS256"}"#),
        GoodRow(name: "no kid, ES256 among others", header: #"{"alg":"ES256"}"#, signer: Tokens.p256),
        GoodRow(
            name: "key without kid, alg and use", header: #"{"alg":"RS256"}"#,
            keys: {
                [
                    try Tokens.jwk(Tokens.rsa) {
                        for name in ["kid", "alg", "use"] { $0[name] = nil }
                    }
                ]
            }),
        GoodRow(
            name: "bad and foreign keys beside it",
            keys: {
                [
                    "text", 7, ["kty": "OKP", "crv": "Ed25519", "x": "AAAA", "kid": "ed"], ["kid": "bare"],
                    ["kty": "RSA", "n": "!", "e": "AQAB"], try Tokens.jwk(Tokens.rsa),
                ]
            }),
        GoodRow(
            name: "kid twice, the second key signed",
            keys: { [try Tokens.jwk(Tokens.otherRSA), try Tokens.jwk(Tokens.rsa)] }),
        GoodRow(
            name: "kid twice, one of another type",
            keys: { [try Tokens.jwk(Tokens.p256) { $0["kid"] = "rsa" }, try Tokens.jwk(Tokens.rsa)] }),
        GoodRow(
            name: "no kid, a key for encryption beside it", header: #"{"alg":"RS256"}"#,
            keys: { [try Tokens.jwk(Tokens.otherRSA) { $0["use"] = "enc" }, try Tokens.jwk(Tokens.rsa)] }),
        GoodRow(
            name: "key_ops with verify",
            keys: { [try Tokens.jwk(Tokens.rsa) { $0["key_ops"] = ["sign", "verify"] }] }),
        GoodRow(
            name: "modulus with a leading zero",
            keys: {
                [
                    try Tokens.jwk(Tokens.rsa) { key in
                        let bytes = key["n"]?.string.flatMap { Base64URL.decode($0) } ?? []
                        key["n"] = .string(Base64URL.encode([0] + bytes))
                    }
                ]
            }),
    ])
    func verifies(_ row: GoodRow) throws {
        let token = try Tokens.signed(row.signer, row.header)
        let set = try Tokens.set(try row.keys())
        let verified = try set.verify(token, allowed: Set(SignatureAlgorithm.allCases), types: row.types)
        #expect(String(decoding: verified.payload, as: UTF8.self) == #"{"sub":"alice"}"#)
    }

    struct BadSetRow: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        BadSetRow(name: "empty", text: ""),
        BadSetRow(name: "HTML", text: "<html>"),
        BadSetRow(name: "a list", text: "[]"),
        BadSetRow(name: "no keys", text: "{}"),
        BadSetRow(name: "keys is an object", text: #"{"keys":{}}"#),
        BadSetRow(name: "keys twice", text: #"{"keys":[],"keys":[]}"#),
        BadSetRow(name: "duplicate inside a key", text: #"{"keys":[{"kid":"a","kid":"b"}]}"#),
        BadSetRow(name: "cut off", text: #"{"keys":[{"kid":"a""#),
    ])
    func refusesSet(_ row: BadSetRow) {
        let error = #expect(throws: JOSEError.self) { try KeySet(parsing: Array(row.text.utf8)) }
        guard case .malformedKeySet = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// RFC 7515 appendix A.3: a signature that nobody here made.
    @Test func verifiesTheVectorOfRFC7515() throws {
        let set = try KeySet(
            parsing: Array(
                #"""
                {"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
                """#.utf8))
        let token =
            "eyJhbGciOiJFUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let verified = try set.verify(token, allowed: [.es256])
        #expect(String(decoding: verified.payload, as: UTF8.self).hasPrefix(#"{"iss":"joe""#))
    }
}
