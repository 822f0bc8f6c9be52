import JSON

/// An error answer (RFC 6749 sections 4.1.2.1 and 5.2, RFC 8628 section 3.5).
struct OAuthError: Error, Sendable, Equatable {
    var code: String
    var description: String?

    init(_ code: String, _ description: String? = nil) {
        self.code = code
        self.description = description
    }

    static func invalidRequest(_ why: String) -> OAuthError { OAuthError("invalid_request", why) }
    static func invalidGrant(_ why: String) -> OAuthError { OAuthError("invalid_grant", why) }

    /// As a token endpoint answers it.
    var response: HTTPResponse {
        var object = JSONObject()
        object["error"] = .string(code)
        if let description { object["error_description"] = .string(description) }
        return .json(object, status: code == "invalid_client" ? 401 : 400)
    }
}
