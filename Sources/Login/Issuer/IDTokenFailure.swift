import JOSE
import JSON
import OpenIDConnect

/// Which step of an ID token's check failed.
package enum IDTokenFailure: Error, Sendable, Equatable {
    /// The keys could not be fetched: the token is neither good nor bad.
    case keySetUnavailable(DocumentError)
    case keySet(JOSEError)
    case signature(JOSEError)
    case claimsJSON(JSONError)
    case claims(IDTokenError)
}

extension IDTokenFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .keySetUnavailable(let error): "cannot fetch the issuer's keys: \(error)"
        case .keySet(let error): "the issuer's keys are not acceptable: \(error)"
        case .signature(let error): "the ID token is not acceptable: \(error)"
        case .claimsJSON(let error): "the claims of the ID token are not acceptable: \(error)"
        case .claims(let error): "\(error)"
        }
    }
}
