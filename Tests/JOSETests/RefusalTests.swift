import JOSE
import JSON
import OpenIDConnect
import Testing

/// T3 to T7 and what cjose alone would let pass: one row a refusal.
@Suite struct RefusalTests {
    /// The case of ``JOSEError`` that a row expects, without its text.
    enum Kind: Sendable {
        case malformed, encrypted, algorithm, critical, unsupported, type, unknownKey, noSingleKey, unfit, signature
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let kind: Kind
        var allowed: Set<SignatureAlgorithm> = Set(SignatureAlgorithm.allCases)
        var keys: @Sendable () throws -> [JSONValue] = { [try Tokens.jwk(Tokens.rsa), try Tokens.jwk(Tokens.p256)] }
        let token: @Sendable () throws -> String
        var testDescription: String { name }

        init(
            _ name: String, _ kind: Kind, allowed: Set<SignatureAlgorithm> = Set(SignatureAlgorithm.allCases),
            keys: (@Sendable () throws -> [JSONValue])? = nil, token: @escaping @Sendable () throws -> String
        ) {
            self.name = name
            self.kind = kind
            self.allowed = allowed
            if let keys { self.keys = keys }
            self.token = token
        }

        /// A row whose token is well signed over this header.
        init(_ name: String, _ kind: Kind, header: String) {
            self.init(name, kind) { try Tokens.signed(Tokens.rsa, header) }
        }

        /// A row whose key has been spoilt.
        init(_ name: String, key change: @escaping @Sendable (inout JSONObject) -> Void) {
            self.init(name, .unfit, keys: { [try Tokens.jwk(Tokens.rsa, change)] }, token: { try good() })
        }
    }

    static func good() throws -> String {
        try Tokens.signed(Tokens.rsa, #"{"alg":"RS256","kid":"rsa"}"#)
    }

    /// A good token with its segments changed.
    static func changed(_ change: (inout [String]) -> Void) throws -> String {
        var segments = try good().split(separator: ".").map(String.init)
        change(&segments)
        return segments.joined(separator: ".")
    }

    static let shape: [Row] = [
        Row("empty", .malformed) { "" },
        Row("one segment", .malformed) { "abc" },
        Row("two segments", .malformed) { try changed { $0.removeLast() } },
        Row("four segments", .malformed) { try good() + ".AA" },
        Row("five segments", .encrypted) { "a.b.c.d.e" },
        Row("six segments", .malformed) { "a.b.c.d.e.f" },
        Row("padding in the header", .malformed) { try changed { $0[0] += "=" } },
        Row("padding at the end", .malformed) { try good() + "==" },
        Row("standard base64 in the signature", .malformed) { try changed { $0[2] = "+/+/" } },
        Row("line end at the end", .malformed) { try good() + "\n" },
        Row("blank before it", .malformed) { try " " + good() },
        Row("left-over bits in the payload", .malformed) { try changed { $0[1] = "eyB" } },
        Row("empty header", .malformed) { try changed { $0[0] = "" } },
        Row("empty payload", .malformed) { try changed { $0[1] = "" } },
        Row("empty signature", .malformed) { try changed { $0[2] = "" } },
        Row("longer than the limit", .malformed) { String(repeating: "A", count: 300_000) },
        Row("header is a list", .malformed, header: "[]"),
        Row("header is a string", .malformed, header: #""RS256""#),
        Row("header is no JSON", .malformed, header: "alg=RS256"),
        Row("header with NUL", .malformed, header: #"{"alg":"RS256","kid":"rsa\u0000"}"#),
        Row("header deeper than the limit", .malformed) {
            let deep = String(repeating: "[", count: 80) + String(repeating: "]", count: 80)
            return try Tokens.signed(Tokens.rsa, #"{"alg":"RS256","x":\#(deep)}"#)
        },
        Row("alg twice, the good one last", .malformed, header: #"{"alg":"none","alg":"RS256","kid":"rsa"}"#),
        Row("alg twice by escape", .malformed, header: #"{"\u0061lg":"none","alg":"RS256","kid":"rsa"}"#),
        Row("no alg", .malformed, header: #"{"kid":"rsa"}"#),
        Row("alg is a number", .malformed, header: #"{"alg":256,"kid":"rsa"}"#),
        Row("alg is null", .malformed, header: #"{"alg":null,"kid":"rsa"}"#),
        Row("kid is a number", .malformed, header: #"{"alg":"RS256","kid":7}"#),
        Row("typ is a list", .malformed, header: #"{"alg":"RS256","kid":"rsa","typ":["JWT"]}"#),
        Row("crit is a string", .malformed, header: #"{"alg":"RS256","kid":"rsa","crit":"exp"}"#),
        Row("crit is empty", .malformed, header: #"{"alg":"RS256","kid":"rsa","crit":[]}"#),
    ]

    static let algorithms: [Row] =
        [
            "none", "None", "nOnE", "NONE", "", "rs256", "Rs256", "HS256", "hs256", "HS384", "HS512", "EdDSA", "ES256K",
            "RS1",
        ]
        .map { name in Row("alg '\(name)'", .algorithm, header: #"{"alg":"\#(name)","kid":"rsa"}"#) } + [
            Row("RS256 where the metadata lists ES256", .algorithm, allowed: [.es256]) { try good() },
            Row("nothing allowed", .algorithm, allowed: []) { try good() },
            Row("none without a signature", .algorithm) {
                Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + ".e30."
            },
        ]

    static let members: [Row] = [
        Row("crit with an unknown name", .critical, header: #"{"alg":"RS256","kid":"rsa","crit":["x"],"x":1}"#),
        Row("crit with exp", .critical, header: #"{"alg":"RS256","kid":"rsa","crit":["exp"],"exp":9}"#),
        Row("crit with b64", .critical, header: #"{"alg":"RS256","kid":"rsa","crit":["b64"],"b64":false}"#),
        Row("b64 false", .unsupported, header: #"{"alg":"RS256","kid":"rsa","b64":false}"#),
        Row("b64 true", .unsupported, header: #"{"alg":"RS256","kid":"rsa","b64":true}"#),
        Row("zip", .unsupported, header: #"{"alg":"RS256","kid":"rsa","zip":"DEF"}"#),
        Row("enc", .encrypted, header: #"{"alg":"RS256","kid":"rsa","enc":"A256GCM"}"#),
        Row("enc of a JWE's alg", .encrypted, header: #"{"alg":"RSA-OAEP","enc":"A256GCM"}"#),
        Row("typ at+jwt", .type, header: #"{"alg":"RS256","kid":"rsa","typ":"at+jwt"}"#),
        Row("typ logout+jwt", .type, header: #"{"alg":"RS256","kid":"rsa","typ":"logout+jwt"}"#),
        Row("typ application/at+jwt", .type, header: #"{"alg":"RS256","kid":"rsa","typ":"application/at+JWT"}"#),
        Row("typ dpop+jwt", .type, header: #"{"alg":"RS256","kid":"rsa","typ":"dpop+jwt"}"#),
        Row("typ empty", .type, header: #"{"alg":"RS256","kid":"rsa","typ":""}"#),
    ]

    static let keys: [Row] = [
        Row("unknown kid", .unknownKey, header: #"{"alg":"RS256","kid":"other"}"#),
        Row("kid of other letters", .unknownKey, header: #"{"alg":"RS256","kid":"RSA"}"#),
        Row("empty kid", .unknownKey, header: #"{"alg":"RS256","kid":""}"#),
        Row("empty set", .unknownKey, keys: { [] }, token: { try good() }),
        Row("no kid, no key fits", .noSingleKey, header: #"{"alg":"ES384"}"#),
        Row(
            "no kid, two keys fit", .noSingleKey,
            keys: { [try Tokens.jwk(Tokens.rsa), try Tokens.jwk(Tokens.otherRSA)] },
            token: { try Tokens.signed(Tokens.rsa, #"{"alg":"RS256"}"#) }),
        Row(
            "RSA of 1024 bits", .unfit, keys: { [try Tokens.jwk(Tokens.small)] },
            token: { try Tokens.signed(Tokens.small, #"{"alg":"RS256","kid":"small"}"#) }),
        Row(
            "RSA of 1024 bits, blown up by zeros", .unfit,
            keys: {
                [
                    try Tokens.jwk(Tokens.small) { key in
                        let bytes = key["n"]?.string.flatMap { Base64URL.decode($0) } ?? []
                        key["n"] = .string(Base64URL.encode([UInt8](repeating: 0, count: 128) + bytes))
                    }
                ]
            }, token: { try Tokens.signed(Tokens.small, #"{"alg":"RS256","kid":"small"}"#) }),
        Row("use enc") { $0["use"] = "enc" },
        Row("use is a list") { $0["use"] = ["sig"] },
        Row("key_ops without verify") { $0["key_ops"] = ["encrypt"] },
        Row("key_ops is a string") { $0["key_ops"] = "verify" },
        Row("key for PS256 alone") { $0["alg"] = "PS256" },
        Row("key for RSA-OAEP") { $0["alg"] = "RSA-OAEP" },
        Row("no kty") { $0["kty"] = nil },
        Row("kty in small letters") { $0["kty"] = "rsa" },
        Row("kty oct with the public modulus as secret") { key in
            key["kty"] = "oct"
            key["k"] = key["n"]
        },
        Row("no modulus") { $0["n"] = nil },
        Row("modulus with padding") { $0["n"] = .string(($0["n"]?.string ?? "") + "==") },
        Row("exponent 1") { $0["e"] = "AQ" },
        Row("exponent 0") { $0["e"] = "AA" },
        Row("even exponent") { $0["e"] = "AQAA" },
        Row("exponent of 9 bytes") { $0["e"] = .string(Base64URL.encode([UInt8](repeating: 1, count: 9))) },
        Row("modulus of 32768 bits") { $0["n"] = .string(Base64URL.encode([UInt8](repeating: 0xFF, count: 4096))) },
        Row("RS256 names an EC key", .unfit, header: #"{"alg":"RS256","kid":"p256"}"#),
        Row("ES256 names an RSA key", .unfit, header: #"{"alg":"ES256","kid":"rsa"}"#),
        Row(
            "ES256 names a P-384 key", .unfit, keys: { [try Tokens.jwk(Tokens.p384) { $0["alg"] = nil }] },
            token: { try Tokens.signed(Tokens.p384, #"{"alg":"ES256","kid":"p384"}"#) }),
        Row(
            "point beside the curve", .unfit, keys: { [try Tokens.jwk(Tokens.p256) { $0["x"] = $0["y"] }] },
            token: { try Tokens.signed(Tokens.p256, #"{"alg":"ES256","kid":"p256"}"#) }),
        Row(
            "short coordinate", .unfit, keys: { [try Tokens.jwk(Tokens.p256) { $0["x"] = "AAAA" }] },
            token: { try Tokens.signed(Tokens.p256, #"{"alg":"ES256","kid":"p256"}"#) }),
        Row(
            "unknown curve", .unfit, keys: { [try Tokens.jwk(Tokens.p256) { $0["crv"] = "secp256k1" }] },
            token: { try Tokens.signed(Tokens.p256, #"{"alg":"ES256","kid":"p256"}"#) }),
    ]

    static let signatures: [Row] = [
        Row("signed by another key", .signature) {
            try Tokens.signed(Tokens.otherRSA, #"{"alg":"RS256","kid":"rsa"}"#)
        },
        Row("payload changed", .signature) {
            try changed { $0[1] = Base64URL.encode(Array(#"{"sub":"mallory"}"#.utf8)) }
        },
        Row("header changed", .signature) {
            try changed { $0[0] = Base64URL.encode(Array(#"{"alg":"RS256","kid":"rsa","a":1}"#.utf8)) }
        },
        Row("signature of one byte", .signature) { try changed { $0[2] = "AA" } },
        Row("signature of zeros", .signature) {
            try changed { $0[2] = Base64URL.encode([UInt8](repeating: 0, count: 256)) }
        },
        Row(
            "RS256 signature under the name RS512", .signature,
            keys: { [try Tokens.jwk(Tokens.rsa) { $0["alg"] = nil }] }
        ) {
            try Tokens.signed(Tokens.rsa, #"{"alg":"RS512","kid":"rsa"}"#)
        },
        Row(
            "PS256 signature under the name RS256", .signature,
            keys: { [try Tokens.jwk(Tokens.pss) { $0["alg"] = nil }] }
        ) {
            try Tokens.signed(Tokens.pss, #"{"alg":"RS256","kid":"pss"}"#)
        },
        Row("ECDSA signature of zeros", .signature) {
            var segments = try Tokens.signed(Tokens.p256, #"{"alg":"ES256","kid":"p256"}"#).split(separator: ".")
            let zeros = Base64URL.encode([UInt8](repeating: 0, count: 64))
            segments[2] = zeros[...]
            return segments.joined(separator: ".")
        },
        Row("ECDSA signature too short", .signature) {
            var segments = try Tokens.signed(Tokens.p256, #"{"alg":"ES256","kid":"p256"}"#).split(separator: ".")
            segments[2] = segments[2].prefix(84)
            return segments.joined(separator: ".")
        },
    ]

    @Test(arguments: shape + algorithms + members + keys + signatures)
    func refuses(_ row: Row) throws {
        let set = try Tokens.set(try row.keys())
        let token = try row.token()
        let error = try #require(throws: JOSEError.self) { try set.verify(token, allowed: row.allowed) }
        #expect(kind(of: error) == row.kind, "\(error)")
        #expect(!error.description.isEmpty && error.description.count < 300)
    }

    private func kind(of error: JOSEError) -> Kind? {
        switch error {
        case .malformed: .malformed
        case .encrypted: .encrypted
        case .algorithmNotAllowed: .algorithm
        case .criticalExtension: .critical
        case .unsupportedHeader: .unsupported
        case .wrongType: .type
        case .unknownKey: .unknownKey
        case .noSingleKey: .noSingleKey
        case .keyUnfit: .unfit
        case .signatureInvalid: .signature
        case .malformedKeySet, .signingFailed: nil
        }
    }
}
