import Sensitive
import WebAddress

/// Signing out at the issuer through the browser (OpenID Connect RP-Initiated Logout 1.0 section 2).
package struct EndSessionRequest: Sendable {
    package let url: WebURL
    package let state: Secret

    /// - Parameters:
    ///   - redirectURI: where the browser comes back to; nil when the issuer knows none.
    package init(
        endpoint: WebURL, clientID: String, idToken: Secret?, redirectURI: String?, ceremony: Ceremony
    ) {
        state = ceremony.token()
        var fields = FormFields()
        fields.append("id_token_hint", idToken?.text)
        fields.append("client_id", clientID)
        if let redirectURI {
            fields.append("post_logout_redirect_uri", redirectURI)
            fields.append("state", state.text)
        }
        url = endpoint.adding(query: fields)
    }
}
