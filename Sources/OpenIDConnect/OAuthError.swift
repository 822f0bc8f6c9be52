import JSON
import WebAddress

/// An error that the issuer reports in OAuth's form (RFC 6749 sections 4.1.2.1 and 5.2).
package struct OAuthError: Error, Sendable, Equatable {
    /// `invalid_grant`, `access_denied` and so on.
    package var code: String
    package var detail: String?

    package init(code: String, detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    /// The error in a JSON body; nil when it has no string member `error`: such a body is no OAuth error.
    package init?(_ body: JSONObject) {
        guard let code = body["error"]?.string, !code.isEmpty else { return nil }
        self.init(code: code, detail: body["error_description"]?.string)
    }

    /// The error in an authorization response; nil when it has none.
    package init?(_ fields: FormFields) {
        guard let code = fields["error"], !code.isEmpty else { return nil }
        self.init(code: code, detail: fields["error_description"])
    }

    /// What a token error means for the login (see `AuthState`).
    package enum Meaning: Sendable, Equatable {
        /// The refresh token or code is spent, revoked or expired.
        case grantRefused
        /// The client is not set up as the issuer expects it.
        case configuration
        /// The issuer asks to come back later.
        case transient
        case other
    }

    package var meaning: Meaning {
        switch code {
        case "invalid_grant": .grantRefused
        case "invalid_client", "unauthorized_client", "invalid_scope": .configuration
        case "temporarily_unavailable", "slow_down", "server_error": .transient
        default: .other
        }
    }
}

extension OAuthError: CustomStringConvertible {
    package var description: String {
        detail.map { "\(code) (\($0))" } ?? code
    }
}
