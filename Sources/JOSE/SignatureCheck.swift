import CJose
import JSON

/// The one call into cjose: does this key verify this token? Everything that cjose does not look at has been looked at
/// before.
enum SignatureCheck {
    /// - Throws: ``JOSEError`` `.keyUnfit` for a key that libcrypto refuses, such as a point beside its curve.
    static func holds(_ token: String, key: JSONWebKey) throws(JOSEError) -> Bool {
        guard let imported = importKey(key.material) else {
            throw .keyUnfit(kid: key.keyID, why: "its numbers do not make a key")
        }
        defer { cjose_jwk_release(imported) }
        guard let signed = cjose_jws_import(token, token.utf8.count, nil) else { return false }
        defer { cjose_jws_release(signed) }
        return cjose_jws_verify(signed, imported, nil)
    }

    /// Only the public numbers cross over: nothing else of a foreign JWK reaches cjose.
    private static func importKey(_ material: JSONWebKey.Material) -> OpaquePointer? {
        switch material {
        case .rsa(var modulus, var exponent):
            return modulus.withUnsafeMutableBufferPointer { n in
                exponent.withUnsafeMutableBufferPointer { e in
                    var numbers = cjose_jwk_rsa_keyspec()
                    numbers.n = n.baseAddress
                    numbers.nlen = n.count
                    numbers.e = e.baseAddress
                    numbers.elen = e.count
                    return cjose_jwk_create_RSA_spec(&numbers, nil)
                }
            }
        case .ec(let curve, var x, var y):
            return x.withUnsafeMutableBufferPointer { x in
                y.withUnsafeMutableBufferPointer { y in
                    var numbers = cjose_jwk_ec_keyspec()
                    numbers.crv = curve.cjose
                    numbers.x = x.baseAddress
                    numbers.xlen = x.count
                    numbers.y = y.baseAddress
                    numbers.ylen = y.count
                    return cjose_jwk_create_EC_spec(&numbers, nil)
                }
            }
        case .unusable: return nil
        }
    }
}

extension Curve {
    fileprivate var cjose: cjose_jwk_ec_curve {
        switch self {
        case .p256: CJOSE_JWK_EC_P_256
        case .p384: CJOSE_JWK_EC_P_384
        case .p521: CJOSE_JWK_EC_P_521
        }
    }
}
