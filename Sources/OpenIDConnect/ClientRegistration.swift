import Sensitive
import WebAddress

/// Who we are to the issuer: the client id and how the token endpoint wants it proved (OpenID Connect Core section 9).
package struct ClientRegistration: Sendable, Equatable {
    package enum Authentication: Sendable, Equatable {
        /// A public client: the id alone, PKCE is the proof.
        case none
        case basic(Secret)
        case post(Secret)
    }

    package var id: String
    package var authentication: Authentication

    package init(id: String, authentication: Authentication) {
        self.id = id
        self.authentication = authentication
    }

    /// Adds the client to a form and returns the value of the Authorization header where the method has one.
    ///
    /// RFC 6749 section 2.3.1: both halves of the Basic credential are form-encoded first.
    package func authenticate(_ form: inout FormFields) -> Secret? {
        switch authentication {
        case .none:
            form.append("client_id", id)
            return nil
        case .post(let secret):
            form.append("client_id", id)
            form.append("client_secret", secret.text ?? "")
            return nil
        case .basic(let secret):
            let pair = "\(FormFields.encode(id)):\(FormFields.encode(secret.text ?? ""))"
            return Secret("Basic \(Base64.encode(pair.utf8))")
        }
    }
}
