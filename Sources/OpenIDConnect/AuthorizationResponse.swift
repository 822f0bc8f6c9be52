import Sensitive
import WebAddress

/// What arrived at the redirect URI, held against the request that asked for it.
package enum AuthorizationResponse: Sendable, Equatable {
    /// Not an answer to our request: whoever sent it gets an error page, and the login goes on waiting.
    case foreign(Foreign)
    /// The issuer's refusal.
    case refused(OAuthError)
    /// Carries our state, yet must not be trusted: the login ends.
    case unacceptable(Unacceptable)
    case code(Secret)

    package enum Foreign: Sendable, Equatable {
        case malformed
        /// RFC 6749 section 3.1: a parameter must not stand twice.
        case repeatedParameter(String)
        case noState
        case wrongState
        /// Our state, but neither a code nor an error.
        case empty
    }

    package enum Unacceptable: Error, Sendable, Equatable {
        /// RFC 9207 section 2.4.
        case issuerMismatch(expected: String, found: String)
        case issuerMissing(expected: String)
    }

    /// Reads the raw query (or form body) of the redirect. The state is looked at before anything else, before `error`
    /// too: without it nobody can end a login.
    package init(reading fields: FormFields?, answering request: AuthorizationRequest) {
        self = Self.read(
            fields, state: request.state, issuer: request.metadata.issuer,
            requiresIssuer: request.metadata.sendsIssuerInAuthorizationResponse)
    }

    package static func read(
        _ fields: FormFields?, state expected: Secret, issuer: String, requiresIssuer: Bool
    ) -> AuthorizationResponse {
        guard let fields else { return .foreign(.malformed) }
        if let name = fields.repeatedName { return .foreign(.repeatedParameter(name)) }
        guard let state = fields["state"] else { return .foreign(.noState) }
        guard Secret(state) == expected else { return .foreign(.wrongState) }
        switch fields["iss"] {
        case let found? where !found.hasSameBytes(as: issuer):
            return .unacceptable(.issuerMismatch(expected: issuer, found: found))
        case nil where requiresIssuer:
            return .unacceptable(.issuerMissing(expected: issuer))
        default: break
        }
        if let error = OAuthError(fields) { return .refused(error) }
        guard let code = fields["code"], !code.isEmpty else { return .foreign(.empty) }
        return .code(Secret(code))
    }
}

extension AuthorizationResponse.Unacceptable: CustomStringConvertible {
    package var description: String {
        switch self {
        case .issuerMismatch(let expected, let found):
            "the redirect comes from issuer \"\(found)\", the login was started at \"\(expected)\""
        case .issuerMissing(let expected):
            "the redirect names no issuer although \"\(expected)\" promises to (RFC 9207 section 2)"
        }
    }
}
