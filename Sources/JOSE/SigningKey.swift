import CJose
import JSON
import OpenIDConnect

/// A private key in memory, for an issuer of ours: the sandbox and the tests.
///
/// It signs through libcrypto and not through cjose, so that what verifies has another author than what signs.
///
/// Sendable although it holds a pointer: the key is never changed after `init`, and libcrypto counts its references
/// and locks its caches itself.
package final class SigningKey: @unchecked Sendable {
    package let keyID: String
    package let algorithm: SignatureAlgorithm
    private let pointer: OpaquePointer

    /// Makes a new key.
    ///
    /// - Parameters:
    ///   - algorithm: the one that every signature of the key has.
    ///   - keyID: its `kid`.
    ///   - bits: size of an RSA modulus; below 2048 only to see it refused.
    /// - Throws: ``JOSEError`` `.signingFailed`.
    package init(
        generating algorithm: SignatureAlgorithm = .rs256, keyID: String, bits: Int = 2048
    ) throws(JOSEError) {
        let made: OpaquePointer? =
            switch algorithm.family {
            case .rsaPKCS1, .rsaPSS:
                Self.generate("RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, CInt(bits)) }
            case .ecdsa(let curve):
                Self.generate("EC") { EVP_PKEY_CTX_set_group_name($0, curve.rawValue) }
            }
        guard let made else { throw .signingFailed("no key could be made") }
        pointer = made
        self.keyID = keyID
        self.algorithm = algorithm
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    private static func generate(_ type: String, _ prepare: (OpaquePointer) -> CInt) -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, prepare(context) == 1, EVP_PKEY_generate(context, &key) == 1 else {
            return nil
        }
        return key
    }

    /// The public half as a JWK with `kid`, `use` and `alg`.
    package var publicJWK: JSONObject {
        get throws(JOSEError) {
            var object = JSONObject()
            switch algorithm.family {
            case .rsaPKCS1, .rsaPSS:
                object["kty"] = "RSA"
                object["n"] = .string(Base64URL.encode(try number("n")))
                object["e"] = .string(Base64URL.encode(try number("e")))
            case .ecdsa(let curve):
                object["kty"] = "EC"
                object["crv"] = .string(curve.rawValue)
                object["x"] = .string(Base64URL.encode(try number("qx", size: curve.coordinateSize)))
                object["y"] = .string(Base64URL.encode(try number("qy", size: curve.coordinateSize)))
            }
            object["kid"] = .string(keyID)
            object["use"] = "sig"
            object["alg"] = .string(algorithm.rawValue)
            return object
        }
    }

    private func number(_ name: String, size: Int? = nil) throws(JOSEError) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else {
            throw .signingFailed("the key has no '\(name)'")
        }
        defer { BN_free(number) }
        let length = size ?? Int((BN_num_bits(number) + 7) / 8)
        var bytes = [UInt8](repeating: 0, count: length)
        guard BN_bn2binpad(number, &bytes, CInt(length)) == CInt(length) else {
            throw .signingFailed("the key's '\(name)' is too long")
        }
        return bytes
    }

    /// A signed token: `alg` and `kid` of this key, then `extras`, which may replace or add header members.
    package func sign(header extras: JSONObject = JSONObject(), payload: JSONObject) throws(JOSEError) -> String {
        var header = JSONObject()
        header["alg"] = .string(algorithm.rawValue)
        header["kid"] = .string(keyID)
        for member in extras.members { header[member.name] = member.value }
        return try sign(headerText: try Self.serialize(header), payload: try Self.serialize(payload))
    }

    private static func serialize(_ object: JSONObject) throws(JOSEError) -> [UInt8] {
        do {
            return try JSONValue.object(object).serialized()
        } catch {
            throw .signingFailed("\(error)")
        }
    }

    /// Signs exactly these bytes, whatever they say: what a broken or hostile issuer would send.
    package func sign(headerText: [UInt8], payload: [UInt8]) throws(JOSEError) -> String {
        let input = "\(Base64URL.encode(headerText)).\(Base64URL.encode(payload))"
        return "\(input).\(Base64URL.encode(try signature(over: Array(input.utf8))))"
    }

    /// The signature in the form of RFC 7518 section 3.
    private func signature(over input: [UInt8]) throws(JOSEError) -> [UInt8] {
        guard let digest = EVP_MD_CTX_new() else { throw .signingFailed("out of memory") }
        defer { EVP_MD_CTX_free(digest) }
        var context: OpaquePointer?
        guard EVP_DigestSignInit(digest, &context, hash, nil, pointer) == 1 else {
            throw .signingFailed("the key refuses the digest")
        }
        if case .rsaPSS = algorithm.family {
            // -1: a salt as long as the digest, which RFC 7518 section 3.5 prescribes.
            guard EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(context, -1) == 1
            else { throw .signingFailed("the key refuses PSS") }
        }
        var length = 0
        guard EVP_DigestSign(digest, nil, &length, input, input.count) == 1 else { throw .signingFailed("no length") }
        var bytes = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSign(digest, &bytes, &length, input, input.count) == 1 else {
            throw .signingFailed("libcrypto refused to sign")
        }
        bytes.removeLast(bytes.count - length)
        if case .ecdsa(let curve) = algorithm.family { return try Self.fixedSize(bytes, curve) }
        return bytes
    }

    private var hash: OpaquePointer? {
        switch algorithm.digestSize {
        case 256: EVP_sha256()
        case 384: EVP_sha384()
        default: EVP_sha512()
        }
    }

    /// libcrypto writes ECDSA signatures in DER; JOSE wants both numbers at full length (RFC 7518 section 3.4).
    private static func fixedSize(_ der: [UInt8], _ curve: Curve) throws(JOSEError) -> [UInt8] {
        let parsed = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &cursor, buffer.count)
        }
        guard let parsed else { throw .signingFailed("the signature is no ECDSA signature") }
        defer { ECDSA_SIG_free(parsed) }
        var out: [UInt8] = []
        for number in [ECDSA_SIG_get0_r(parsed), ECDSA_SIG_get0_s(parsed)] {
            var bytes = [UInt8](repeating: 0, count: curve.coordinateSize)
            guard BN_bn2binpad(number, &bytes, CInt(bytes.count)) == CInt(bytes.count) else {
                throw .signingFailed("the signature is too long")
            }
            out += bytes
        }
        return out
    }
}
