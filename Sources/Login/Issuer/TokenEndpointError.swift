import JSON
import OpenIDConnect
import WebAddress

/// Why the token endpoint (or revocation and device authorization, which answer alike) did not do what it was asked for.
package enum TokenEndpointError: Error, Sendable, Equatable {
    case http(HTTPError)
    /// RFC 6749 section 5.2.
    case oauth(OAuthError, status: Int)
    /// 5xx or 429: the issuer is not well or wants a pause.
    case unavailable(status: Int, retryAfter: Int?)
    /// A page for people, or no JSON at all: something stands between us and the endpoint.
    case notJSON(status: Int)
    /// 400 or 401 without a string `error`: no OAuth error, so nothing is forgotten for it.
    case refusedWithoutReason(status: Int)
    /// The error object of MojoAuth's older interface, which is no OAuth error either.
    case message(String, status: Int)
    case redirected(status: Int)
    case unexpectedStatus(Int)
    /// JSON that we refuse to read: a name twice, too deep.
    case malformedJSON(JSONError)
    case unacceptable(TokenResponseError)
    case deviceAuthorization(DeviceAuthorization.Failure)

    /// Will it pass? Then everything is kept and the same may be tried again.
    package var isTransient: Bool {
        switch self {
        case .http(let error): error.isTransient
        case .oauth(let error, _): error.meaning == .transient
        case .unavailable, .notJSON: true
        default: false
        }
    }

    /// Seconds after which one more try makes sense within the same command; nil: it makes none, or takes too long.
    ///
    /// Only an answer that says "not now" (RFC 6585 section 4, RFC 9110 section 15.6.4) is certain to have spent
    /// nothing. What may have arrived is not repeated: a refresh token that comes twice can end a login.
    var pauseBeforeRetry: Double? {
        guard case .unavailable(let status, let pause) = self, status == 429 || status == 503 else { return nil }
        let seconds = Double(pause ?? 1)
        return seconds <= Self.longestPause ? max(seconds, 0.5) : nil
    }

    /// A person, or git, waits for the answer.
    private static let longestPause = 3.0
}

extension TokenEndpointError {
    /// Reads an answer that is no success; nil for one that is.
    init?(refusal response: HTTPResponse) {
        let status = response.status
        guard !response.isSuccess else { return nil }
        if response.isRedirect {
            self = .redirected(status: status)
            return
        }
        if status == 429 || status >= 500 {
            self = .unavailable(status: status, retryAfter: response.retryAfter)
            return
        }
        let body = (try? JSONValue(parsing: response.body))?.object
        if let error = body.flatMap({ OAuthError($0) }) {
            self = .oauth(error, status: status)
        } else if let text = body.flatMap(Self.olderMessage) {
            self = .message(text, status: status)
        } else if body == nil, response.isHTML {
            self = .notJSON(status: status)
        } else if status == 400 || status == 401 {
            self = .refusedWithoutReason(status: status)
        } else {
            self = .unexpectedStatus(status)
        }
    }

    /// `{"code":..., "message":..., "description":...}`.
    private static func olderMessage(_ body: JSONObject) -> String? {
        guard body["code"] != nil else { return nil }
        let texts = ["message", "description"].compactMap { body[$0]?.string }.filter { !$0.isEmpty }
        return texts.isEmpty ? nil : texts.joined(separator: ": ")
    }
}

extension TokenEndpointError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .http(let error): "\(error)"
        case .oauth(let error, _): "the issuer refused: \(error)"
        case .unavailable(let status, let pause?):
            "the issuer is not available at the moment (status \(status)) and asks to wait \(pause) s"
        case .unavailable(let status, nil): "the issuer is not available at the moment (status \(status))"
        case .notJSON(let status): "the issuer answered with something other than JSON (status \(status))"
        case .refusedWithoutReason(let status): "the issuer refused without saying why (status \(status))"
        case .message(let text, let status): "the issuer refused (status \(status)): \(text)"
        case .redirected(let status):
            "the issuer redirects the request elsewhere (status \(status)), which is not followed"
        case .unexpectedStatus(let status): "the issuer's endpoint answered with status \(status)"
        case .malformedJSON(let error): "the issuer's answer is not acceptable: \(error)"
        case .unacceptable(let error): "\(error)"
        case .deviceAuthorization(let error): "\(error)"
        }
    }
}
