import Configuration
import OpenIDConnect
import Sensitive
import WebAddress

/// Tells the issuer that a login's tokens are no longer wanted (RFC 7009): the refresh token first, since it can make
/// new access tokens, then those, also the ones of an audience or resource.
package struct Revoker {
    package struct Outcome: Sendable {
        package enum Token: String, Sendable {
            case refresh = "refresh_token"
            case access = "access_token"
        }

        /// Does the issuer offer it?
        package var isOffered: Bool
        package var revoked: [Token] = []
        package var failures: [(token: Token, error: LoginError)] = []
    }

    private let profile: Profile
    private let client: ClientRegistration
    private let http: HTTPClient

    package init(profile: Profile, client: ClientRegistration, http: HTTPClient) {
        self.profile = profile
        self.client = client
        self.http = http
    }

    /// Revokes all tokens where the metadata lists an endpoint; the others are tried also when one fails.
    ///
    /// - Throws: when the metadata cannot be had: then nothing was revoked.
    package func revoke(_ state: AuthState) throws(LoginError) -> Outcome {
        let metadata: ProviderMetadata
        do {
            metadata = try Discovery(http: http).metadata(of: profile)
        } catch {
            throw .discovery(error, issuer: profile.issuer)
        }
        guard let endpoint = metadata[.revocation] else { return Outcome(isOffered: false) }
        var outcome = Outcome(isOffered: true)
        let targets = state.storedTargetTokens.values.map { (Outcome.Token.access, Optional($0.secret)) }
        let tokens: [(Outcome.Token, Secret?)] =
            [(.refresh, state.refreshToken), (.access, state.storedAccessToken?.secret)] + targets
        for case (let token, let secret?) in tokens {
            if let error = send(token, secret, to: endpoint) {
                outcome.failures.append((token, .tokenEndpoint(error)))
            } else {
                outcome.revoked.append(token)
            }
        }
        return outcome
    }

    private func send(_ token: Outcome.Token, _ secret: Secret, to endpoint: WebURL) -> TokenEndpointError? {
        var form = FormFields()
        form.append("token", secret.text)
        form.append("token_type_hint", token.rawValue)
        let authorization = client.authenticate(&form)
        do {
            // A token that the issuer does not know is revoked enough: it answers 200 (section 2.2).
            return TokenEndpointError(refusal: try http.send(.post(endpoint, form: form, authorization: authorization)))
        } catch {
            return .http(error)
        }
    }
}
