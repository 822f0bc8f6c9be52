import JSON
import OpenIDConnect

/// A public key of a key set (RFC 7517), kept also when it is of no use to us, so that a token that names it is
/// answered by what is wrong with the key.
struct JSONWebKey: Sendable, Equatable {
    enum Material: Sendable, Equatable {
        /// Modulus without leading zeros, and public exponent.
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case ec(Curve, x: [UInt8], y: [UInt8])
        /// A key that we cannot use, and why.
        case unusable(String)
    }

    static let minimumModulus = 2048
    /// libcrypto's own limit for a public operation.
    static let maximumModulus = 16384

    let keyID: String?
    let material: Material
    let use: String?
    let operations: [String]?
    let algorithm: String?

    init(decoding object: JSONObject) {
        keyID = object["kid"]?.string
        use = object["use"]?.string
        algorithm = object["alg"]?.string
        operations = object["key_ops"]?.strings
        material = Self.material(of: object)
    }

    private static func material(of object: JSONObject) -> Material {
        for name in ["kid", "use", "alg"] {
            if let value = object[name], value.string == nil { return .unusable("its '\(name)' is not a string") }
        }
        if let value = object["key_ops"], value.strings == nil { return .unusable("its 'key_ops' is not a list") }
        return switch object["kty"]?.string {
        case "RSA": rsa(object)
        case "EC": ec(object)
        case nil: .unusable("it has no key type")
        case let type?: .unusable("its key type '\(type.prefix(20))' is not RSA or EC")
        }
    }

    private static func rsa(_ object: JSONObject) -> Material {
        guard let n = bytes("n", of: object), let e = bytes("e", of: object) else {
            return .unusable("its modulus or exponent is missing or not base64url")
        }
        let modulus = Array(n.drop { $0 == 0 })
        let exponent = Array(e.drop { $0 == 0 })
        // An exponent of 1 would make every signature true; an even one is no RSA key.
        guard let last = exponent.last, last & 1 == 1, exponent != [1], exponent.count <= 8 else {
            return .unusable("its exponent is none that RSA can use")
        }
        return .rsa(modulus: modulus, exponent: exponent)
    }

    private static func ec(_ object: JSONObject) -> Material {
        guard let name = object["crv"]?.string, let curve = Curve(rawValue: name) else {
            return .unusable("its curve is not P-256, P-384 or P-521")
        }
        guard let x = bytes("x", of: object), let y = bytes("y", of: object), x.count == curve.coordinateSize,
            y.count == curve.coordinateSize
        else { return .unusable("its coordinates are missing or not of the curve's size") }
        return .ec(curve, x: x, y: y)
    }

    private static func bytes(_ name: String, of object: JSONObject) -> [UInt8]? {
        object[name]?.string.flatMap { Base64URL.decode($0) }
    }

    /// Length of an RSA modulus in bits.
    private static func bits(_ modulus: [UInt8]) -> Int {
        modulus.first.map { modulus.count * 8 - $0.leadingZeroBitCount } ?? 0
    }

    /// Why this key must not verify a signature of `wanted`; nil when it may.
    func unfitness(for wanted: SignatureAlgorithm) -> String? {
        if case .unusable(let why) = material { return why }
        if let use, use != "sig" { return "it is meant for '\(use.prefix(20))', not for signatures" }
        if let operations, !operations.contains("verify") { return "its operations do not include 'verify'" }
        if let algorithm, algorithm != wanted.rawValue {
            return "it is meant for algorithm '\(algorithm.prefix(20))', not \(wanted.rawValue)"
        }
        switch (material, wanted.family) {
        case (.rsa(let modulus, _), .rsaPKCS1), (.rsa(let modulus, _), .rsaPSS):
            let bits = Self.bits(modulus)
            if bits < Self.minimumModulus { return "\(bits) bits, less than \(Self.minimumModulus)" }
            return bits > Self.maximumModulus ? "\(bits) bits, more than \(Self.maximumModulus)" : nil
        case (.ec(let curve, _, _), .ecdsa(let needed)):
            return curve == needed ? nil : "curve \(curve.rawValue) does not fit \(wanted.rawValue)"
        default: return "its key type does not fit \(wanted.rawValue)"
        }
    }
}
