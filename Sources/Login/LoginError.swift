import OpenIDConnect
import Program

/// Why a login, a refresh or a revocation did not come to its end.
package enum LoginError: Error, Sendable, Equatable {
    case setup(HTTPSetupError)
    case discovery(DiscoveryError, issuer: String)
    case listener(ListenError)
    /// An extra parameter whose value cannot be what it is for.
    case parameter(name: String, value: String)
    /// The person said no.
    case denied(OAuthError)
    /// The authorization endpoint's other errors.
    case refused(OAuthError)
    case unacceptableRedirect(AuthorizationResponse.Unacceptable)
    case timedOut(seconds: Int, redirectURI: String, clientID: String, issuer: String)
    /// A login that asks nobody has no browser that it could go through.
    case noBrowser
    /// SIGINT, SIGTERM or SIGHUP.
    case interrupted(CInt)
    case deviceFlowNotOffered(issuer: String)
    /// The device flow's person did not come in time.
    case codeNotEntered(seconds: Int)
    case tokenEndpoint(TokenEndpointError)
    case idToken(IDTokenFailure)
    /// The stored login has none, so only a new login helps.
    case noRefreshToken
    /// The stored login names no usable token endpoint.
    case badTokenEndpoint(String)
    /// What the caller's own saving failed with.
    case notSaved(Complaint)

    /// Did the person let the login pass, as opposed to a login that failed?
    package var isAbandonment: Bool {
        switch self {
        case .denied, .timedOut, .interrupted, .codeNotEntered: true
        default: false
        }
    }

    /// Will it pass? Then the same may be tried again and nothing stored is to be changed for it.
    package var isTransient: Bool {
        switch self {
        case .discovery(.document(let error), _): error.isTransient
        case .tokenEndpoint(let error): error.isTransient
        case .idToken(.keySetUnavailable(let error)): error.isTransient
        case .listener(let error): error.isTaken
        case .timedOut, .codeNotEntered: true
        case .refused(let error): error.meaning == .transient
        default: false
        }
    }
}

extension DocumentError {
    package var isTransient: Bool {
        switch reason {
        case .http(let error): error.isTransient
        case .unavailable, .html: true
        default: false
        }
    }
}
