import Configuration
import OpenIDConnect
import Program
import Sensitive
import WebAddress

/// Renews a login with its refresh token (RFC 6749 section 6, OpenID Connect Core section 12). It neither reads nor
/// writes a keyring: locking, saving and holding off signals are its caller's.
package struct Refresher {
    /// What became of the state. It can have changed although an error is reported: the caller saves it whenever it
    /// differs from what it gave.
    package struct Outcome: Sendable {
        package var state: AuthState
        package var error: LoginError?

        package init(state: AuthState, error: LoginError? = nil) {
            self.state = state
            self.error = error
        }
    }

    private let profile: Profile
    private let client: ClientRegistration
    private let http: HTTPClient
    private let ceremony: Ceremony
    private let now: () -> NumericDate

    package init(
        profile: Profile, client: ClientRegistration, http: HTTPClient, ceremony: Ceremony = .system,
        now: @escaping () -> NumericDate = Clock.now
    ) {
        self.profile = profile
        self.client = client
        self.http = http
        self.ceremony = ceremony
        self.now = now
    }

    /// Sends a token request, and one more after a pause when the issuer asks for one.
    ///
    /// - Parameter target: what the token is for.
    /// - Returns: the renewed state; with an error, the old one in which
    ///   - `invalid_grant` has ended the login,
    ///   - a rotated refresh token has replaced the spent one although the ID token beside it was not acceptable,
    ///   - nothing has changed otherwise.
    package func refresh(_ state: AuthState, for target: TokenTarget = .standard) -> Outcome {
        guard let refreshToken = state.refreshToken else { return Outcome(state: state, error: .noRefreshToken) }
        do throws(LoginError) {
            let trust = try prepare(state)
            let endpoint = try tokenEndpoint(of: state, trust)
            return try renew(state, refreshToken, target, endpoint, trust)
        } catch {
            return Outcome(state: state, error: error)
        }
    }

    /// What an ID token is checked by.
    private struct Trust {
        var metadata: ProviderMetadata
        var validator: IDTokenValidator

        func prepare() throws(LoginError) {
            do {
                try validator.prepare()
            } catch {
                throw .idToken(error)
            }
        }
    }

    /// Fetches metadata and keys ahead when an ID token is to be expected: once the issuer has rotated, every second
    /// before the state is saved is one in which it can be lost.
    ///
    /// - Returns: nil when there is nothing to expect, or when the issuer answers but not with what is needed; then the
    ///   refresh is tried all the same, since it may bring no ID token.
    private func prepare(_ state: AuthState) throws(LoginError) -> Trust? {
        guard state.storedIDToken != nil else { return nil }
        do throws(LoginError) {
            let trust = try fetchTrust()
            try trust.prepare()
            return trust
        } catch {
            // Who cannot be reached now would not answer the refresh either.
            if error.isNetworkFailure { throw error }
            return nil
        }
    }

    private func fetchTrust() throws(LoginError) -> Trust {
        do {
            let metadata = try Discovery(http: http).metadata(of: profile)
            return Trust(
                metadata: metadata, validator: IDTokenValidator(metadata: metadata, http: http, ceremony: ceremony))
        } catch {
            throw .discovery(error, issuer: profile.issuer)
        }
    }

    private func tokenEndpoint(of state: AuthState, _ trust: Trust?) throws(LoginError) -> WebURL {
        if let url = profile.endpointOverrides[.token] ?? trust?.metadata.tokenEndpoint { return url }
        guard let url = WebURL(state.tokenEndpoint), url.origin.isTrustworthy else {
            throw .badTokenEndpoint(state.tokenEndpoint)
        }
        return url
    }

    private func renew(
        _ state: AuthState, _ refreshToken: Secret, _ target: TokenTarget, _ endpoint: WebURL, _ trust: Trust?
    ) throws(LoginError) -> Outcome {
        var state = state
        let request = TokenRequest(
            .refreshToken(refreshToken), client: client, audience: target.audience, resource: target.resource)
        let response: TokenResponse
        do {
            response = try send(request, to: endpoint)
        } catch {
            if case .oauth(let error, _) = error { _ = state.update(with: error) }
            return Outcome(state: state, error: .tokenEndpoint(error))
        }
        do throws(LoginError) {
            try validate(response, state, trust)
        } catch {
            state.refreshToken = response.refreshToken ?? state.refreshToken
            return Outcome(state: state, error: error)
        }
        state.update(with: response, for: target)
        state.tokenEndpoint = endpoint.description
        return Outcome(state: state)
    }

    private func send(_ request: TokenRequest, to url: WebURL) throws(TokenEndpointError) -> TokenResponse {
        let endpoint = TokenEndpoint(url, http: http, now: now)
        do {
            return try endpoint.send(request)
        } catch {
            guard let pause = error.pauseBeforeRetry else { throw error }
            http.loop.pause(for: pause)
            return try endpoint.send(request)
        }
    }

    /// Section 12.2: the ID token of a refresh is about the same subject, from the same issuer, for the same client.
    private func validate(_ response: TokenResponse, _ state: AuthState, _ trust: Trust?) throws(LoginError) {
        guard let token = response.idToken else { return }
        let rules = IDTokenRules(
            issuer: state.issuer, clientID: client.id, leeway: profile.leeway, subject: state.subject)
        let used: Trust
        if let trust { used = trust } else { used = try fetchTrust() }
        do {
            try used.validator.validate(token, by: rules, accessToken: response.accessToken, now: now())
        } catch {
            throw .idToken(error)
        }
    }
}

extension LoginError {
    /// Nobody answered at all.
    var isNetworkFailure: Bool {
        switch self {
        case .discovery(.document(let error), _), .idToken(.keySetUnavailable(let error)):
            if case .http = error.reason { true } else { false }
        default: false
        }
    }
}
