import JOSE
import JSON
import OpenIDConnect

/// An ID token before it is signed: what a fault may still change.
struct IDTokenDraft {
    enum Signer {
        /// The key that the key set serves.
        case current
        /// A new key: from now on the key set serves that one and no other.
        case rotated
        /// A key that no key set has.
        case stranger
        /// No signature at all.
        case none
        /// HMAC with the public modulus as its key.
        case publicModulus
        /// The right key, and one byte changed.
        case damaged
    }

    var header: JSONObject
    var claims: JSONObject
    var signer = Signer.current
    /// Text in front of the claims' first member: duplicates and worse.
    var claimsPrefix = ""
    /// The same for the header.
    var headerPrefix = ""
    /// Behind the whole token.
    var suffix = ""

    /// The token in compact serialization.
    func compact(keys: IssuerKeys) throws(JOSEError) -> String {
        let headerText = try Self.text(header, prefix: headerPrefix)
        let payload = try Self.text(claims, prefix: claimsPrefix)
        let unsigned = "\(Base64URL.encode(headerText)).\(Base64URL.encode(payload))"
        switch signer {
        case .current, .rotated:
            return try keys.current.sign(headerText: headerText, payload: payload) + suffix
        case .stranger: return try keys.makeStranger().sign(headerText: headerText, payload: payload) + suffix
        case .none: return unsigned + "." + suffix
        case .publicModulus:
            let secret = try keys.current.publicJWK["n"]?.string.flatMap { Base64URL.decode($0) } ?? []
            return "\(unsigned).\(Base64URL.encode(Digest.hmacSHA256(key: secret, Array(unsigned.utf8))))" + suffix
        case .damaged:
            let good = try keys.current.sign(headerText: headerText, payload: payload)
            let segments = good.split(separator: ".")
            var signature = segments.last.flatMap { Base64URL.decode($0) } ?? []
            if !signature.isEmpty { signature[signature.count / 2] ^= 1 }
            return "\(unsigned).\(Base64URL.encode(signature))" + suffix
        }
    }

    private static func text(_ object: JSONObject, prefix: String) throws(JOSEError) -> [UInt8] {
        do {
            let text = try JSONValue.object(object).serialized()
            return prefix.isEmpty ? text : Array("{\(prefix),".utf8) + text.dropFirst()
        } catch {
            throw .signingFailed("\(error)")
        }
    }
}
