/// The signature algorithms that an ID token may carry (RFC 7518 section 3.1): asymmetric ones alone. `none` and the
/// HMAC family have no case, so no code can accept them.
package enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
}
