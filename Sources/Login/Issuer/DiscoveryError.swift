import OpenIDConnect

/// Why the issuer's metadata could not be had or must not be used.
package enum DiscoveryError: Error, Sendable, Equatable {
    /// Neither https nor http on loopback.
    case untrustworthyIssuer(String)
    case document(DocumentError)
    case metadata(MetadataError)
}

extension DiscoveryError {
    /// Did the issuer say anything, however useless?
    package var hasAnswer: Bool {
        switch self {
        case .untrustworthyIssuer: false
        case .document(let error):
            if case .http = error.reason { false } else { true }
        case .metadata: true
        }
    }
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
