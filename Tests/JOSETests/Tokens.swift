import JOSE
import JSON
import OpenIDConnect

/// Keys and tokens that the tables share: made once, since an RSA key takes a while.
enum Tokens {
    static let claims: JSONObject = {
        var claims = JSONObject()
        claims["iss"] = "https://acme.example"
        claims["sub"] = "alice"
        return claims
    }()

    static let rsa = key(.rs256, "rsa")
    static let otherRSA = key(.rs256, "rsa")
    static let pss = key(.ps256, "pss")
    static let small = key(.rs256, "small", bits: 1024)
    static let p256 = key(.es256, "p256")
    static let p384 = key(.es384, "p384")

    private static func key(_ algorithm: SignatureAlgorithm, _ keyID: String, bits: Int = 2048) -> SigningKey? {
        try? SigningKey(generating: algorithm, keyID: keyID, bits: bits)
    }

    /// Signed by `key` over a header and a payload that are given as text.
    static func signed(
        _ key: SigningKey?, _ header: String, payload: String = #"{"sub":"alice"}"#
    ) throws -> String {
        try known(key).sign(headerText: Array(header.utf8), payload: Array(payload.utf8))
    }

    static func known(_ key: SigningKey?) throws -> SigningKey {
        guard let key else { throw JOSEError.signingFailed("no key in the fixture") }
        return key
    }

    /// The key's public JWK after `change`.
    static func jwk(_ key: SigningKey?, _ change: (inout JSONObject) -> Void = { _ in }) throws -> JSONValue {
        var object = try known(key).publicJWK
        change(&object)
        return .object(object)
    }

    static func set(_ keys: [JSONValue]) throws -> KeySet {
        try KeySet(parsing: try JSONValue.object(JSONObject([.init(name: "keys", value: .array(keys))])).serialized())
    }
}
