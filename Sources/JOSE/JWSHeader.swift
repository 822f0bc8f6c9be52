import JSON
import OpenIDConnect

/// The protected header of a compact JWS (RFC 7515 section 4), parsed strictly: cjose lets pass what is refused here.
///
/// `jku`, `x5u`, `jwk` and `x5c` are ignored: a token does not bring its own key.
package struct JWSHeader: Sendable, Equatable {
    package let algorithm: SignatureAlgorithm
    package let keyID: String?
    /// `typ` as spelled.
    package let type: String?

    /// Splits and checks a whole token before any key is looked at.
    ///
    /// - Throws: ``JOSEError`` `.malformed`, `.encrypted`, `.algorithmNotAllowed`, `.criticalExtension` or
    ///   `.unsupportedHeader`; never `.signatureInvalid`, since no signature is looked at.
    package init(parsing token: String) throws(JOSEError) {
        self = try CompactJWS(parsing: token).header
    }

    init(decoding object: JSONObject) throws(JOSEError) {
        if object["enc"] != nil { throw .encrypted }
        guard let name = object["alg"]?.string else { throw .malformed("its header names no algorithm") }
        guard let algorithm = SignatureAlgorithm(rawValue: name) else { throw .algorithmNotAllowed(name) }
        if let critical = object["crit"] {
            guard let names = critical.strings, !names.isEmpty else {
                throw .malformed("'crit' in its header is not a list of names")
            }
            throw .criticalExtension(names)
        }
        for unsupported in ["b64", "zip"] where object[unsupported] != nil { throw .unsupportedHeader(unsupported) }
        self.algorithm = algorithm
        keyID = try Self.text("kid", of: object)
        type = try Self.text("typ", of: object)
    }

    private static func text(_ name: String, of object: JSONObject) throws(JOSEError) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.string else { throw .malformed("'\(name)' in its header is not a string") }
        return text
    }

    /// `typ` in one spelling: lower case, without the `application/` that RFC 7515 section 4.1.9 lets out.
    var mediaType: String? {
        type.map { spelled in
            let lower = spelled.lowercased()
            return lower.hasPrefix("application/") ? String(lower.dropFirst("application/".count)) : lower
        }
    }
}
