import OpenIDConnect

extension SignatureAlgorithm {
    /// The family that decides which keys fit (RFC 7518 section 3.1).
    enum Family {
        case rsaPKCS1
        case rsaPSS
        case ecdsa(Curve)
    }

    var family: Family {
        switch self {
        case .rs256, .rs384, .rs512: .rsaPKCS1
        case .ps256, .ps384, .ps512: .rsaPSS
        case .es256: .ecdsa(.p256)
        case .es384: .ecdsa(.p384)
        case .es512: .ecdsa(.p521)
        }
    }

    /// Of the digest, in bits.
    var digestSize: Int {
        switch self {
        case .rs256, .ps256, .es256: 256
        case .rs384, .ps384, .es384: 384
        case .rs512, .ps512, .es512: 512
        }
    }
}

/// The curves of RFC 7518 section 6.2.1.1.
enum Curve: String {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// Length of a coordinate in bytes.
    var coordinateSize: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }
}
