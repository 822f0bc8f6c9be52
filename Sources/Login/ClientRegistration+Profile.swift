import Configuration
import OpenIDConnect
import Sensitive

extension ClientRegistration {
    /// - Parameter secret: from the keyring; nil where there is none.
    /// - Returns: nil when the profile's method wants a secret and there is none.
    package init?(profile: Profile, secret: Secret?) {
        switch (profile.clientAuthentication, secret) {
        case (.none, _): self.init(id: profile.clientID, authentication: .none)
        case (.basic, let secret?): self.init(id: profile.clientID, authentication: .basic(secret))
        case (.post, let secret?): self.init(id: profile.clientID, authentication: .post(secret))
        case (.basic, nil), (.post, nil): return nil
        }
    }
}
