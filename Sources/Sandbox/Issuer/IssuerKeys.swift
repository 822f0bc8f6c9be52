import JOSE
import JSON
import OpenIDConnect

/// The issuer's signing keys.
struct IssuerKeys {
    private(set) var current: SigningKey

    init() throws(JOSEError) {
        current = try SigningKey(keyID: Self.newKeyID())
    }

    /// A key that is in no key set; made when a fault asks for it, since making one takes most of a start.
    func makeStranger() throws(JOSEError) -> SigningKey {
        try SigningKey(keyID: Self.newKeyID())
    }

    /// Random, so that no kid of one run means another key in the next.
    private static func newKeyID() -> String {
        "sandbox-" + Base64URL.encode(Randomness.bytes(6))
    }

    /// Takes a new key; the old one is served no more.
    mutating func rotate() throws(JOSEError) {
        current = try SigningKey(keyID: Self.newKeyID())
    }

    /// The key set (RFC 7517 section 5).
    var set: JSONObject {
        get throws(JOSEError) {
            var set = JSONObject()
            set["keys"] = .array([.object(try current.publicJWK)])
            return set
        }
    }
}
