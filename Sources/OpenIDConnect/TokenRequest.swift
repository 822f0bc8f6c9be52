import Sensitive
import WebAddress

/// What goes to the token endpoint: a form and, for some clients, an Authorization header.
package struct TokenRequest: Sendable, Equatable {
    package enum Grant: Sendable, Equatable {
        /// RFC 6749 section 4.1.3 with RFC 7636 section 4.5.
        case authorizationCode(Secret, redirectURI: String, verifier: Secret)
        /// RFC 6749 section 6; without scope, so that the granted ones stay.
        case refreshToken(Secret)
        /// RFC 8628 section 3.4.
        case deviceCode(Secret)
    }

    package let form: FormFields
    package let authorization: Secret?

    /// - Parameters:
    ///   - audience: asks for a token of its own for one server; nil for the profile's.
    ///   - resource: the same in the words of RFC 8707.
    package init(_ grant: Grant, client: ClientRegistration, audience: String? = nil, resource: String? = nil) {
        var form = FormFields()
        switch grant {
        case .authorizationCode(let code, let redirectURI, let verifier):
            form.append("grant_type", "authorization_code")
            form.append("code", code.text)
            form.append("redirect_uri", redirectURI)
            form.append("code_verifier", verifier.text)
        case .refreshToken(let token):
            form.append("grant_type", "refresh_token")
            form.append("refresh_token", token.text)
        case .deviceCode(let code):
            form.append("grant_type", "urn:ietf:params:oauth:grant-type:device_code")
            form.append("device_code", code.text)
        }
        form.append("audience", audience)
        form.append("resource", resource)
        authorization = client.authenticate(&form)
        self.form = form
    }
}
