import Sensitive
import WebAddress

/// What arrived at the post-logout redirect URI, held against the request that asked for it (OpenID Connect
/// RP-Initiated Logout 1.0 section 3).
package enum EndSessionResponse: Sendable, Equatable {
    /// Not an answer to our request: the sign-out goes on waiting.
    case foreign(AuthorizationResponse.Foreign)
    /// The standard knows no refusal; some issuers send one all the same.
    case refused(OAuthError)
    case signedOut

    /// Reads the raw query of the redirect, the state before anything else.
    package init(reading fields: FormFields?, answering request: EndSessionRequest) {
        self = Self.read(fields, state: request.state)
    }

    private static func read(_ fields: FormFields?, state expected: Secret) -> EndSessionResponse {
        guard let fields else { return .foreign(.malformed) }
        if let name = fields.repeatedName { return .foreign(.repeatedParameter(name)) }
        guard let state = fields["state"] else { return .foreign(.noState) }
        guard Secret(state) == expected else { return .foreign(.wrongState) }
        return OAuthError(fields).map { .refused($0) } ?? .signedOut
    }
}
