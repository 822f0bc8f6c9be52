/// Why an issuer's metadata is not acceptable.
package enum MetadataError: Error, Sendable, Equatable {
    case missing(String)
    case malformed(String)
    case issuerMismatch(configured: String, found: String)
    /// An endpoint, or the issuer, that is neither https nor, for a loopback issuer, http on loopback; or an endpoint with
    /// user information or a fragment. Its origin alone is told.
    case untrustworthyEndpoint(String, String)
    case noS256
    case noCodeFlow
    case noAcceptableAlgorithm([String])
}

extension MetadataError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let name): "the issuer's metadata has no \(name)"
        case .malformed(let name): "\(name) in the issuer's metadata is malformed"
        case .issuerMismatch(let configured, let found):
            "the metadata names issuer \"\(found)\", the profile names \"\(configured)\""
        case .untrustworthyEndpoint(let name, let origin):
            "\(name) lies at \(origin): it must be https (http on a loopback issuer only), without user and fragment"
        case .noS256: "the issuer does not offer PKCE with S256"
        case .noCodeFlow: "the issuer does not offer the authorization code flow"
        case .noAcceptableAlgorithm(let names):
            "the issuer signs ID tokens with \(names.joined(separator: ", ")), none of which is acceptable"
        }
    }
}
