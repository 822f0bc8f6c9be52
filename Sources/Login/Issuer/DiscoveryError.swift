import OpenIDConnect

/// Why the issuer's metadata could not be had or must not be used.
package enum DiscoveryError: Error, Sendable, Equatable {
    /// Neither https nor http on loopback.
    case untrustworthyIssuer(String)
    case document(DocumentError)
    case metadata(MetadataError)
}

extension DiscoveryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .untrustworthyIssuer(let issuer): "issuer \"\(issuer)\" is not an https URL"
        case .document(let error):
            switch error.reason {
            case .notFound: "no OpenID configuration at \(error.url)"
            default: "\(error)"
            }
        case .metadata(let error): "\(error)"
        }
    }
}
