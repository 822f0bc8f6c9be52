import Configuration
import OpenIDConnect
import Program
import Sensitive
import WebAddress

/// The steps that every way to sign in has: what the issuer says of itself, its tokens, their proof, and the saving.
struct LoginSteps {
    let profile: Profile
    let client: ClientRegistration
    let http: HTTPClient
    let ceremony: Ceremony
    let now: () -> NumericDate

    var loop: EventLoop { http.loop }

    /// The issuer, as a person is told of it.
    var issuerHost: String { profile.issuerURL.origin.authority }

    func discover() throws(LoginError) -> ProviderMetadata {
        do {
            return try Discovery(http: http).metadata(of: profile)
        } catch {
            try throwInterruption()
            throw .discovery(error, issuer: profile.issuer)
        }
    }

    func exchange(_ grant: TokenRequest.Grant, at metadata: ProviderMetadata) throws(LoginError) -> TokenResponse {
        do {
            let endpoint = TokenEndpoint(metadata.tokenEndpoint, http: http, now: now)
            return try endpoint.send(TokenRequest(grant, client: client))
        } catch {
            try throwInterruption()
            throw .tokenEndpoint(error)
        }
    }

    /// - Parameters:
    ///   - scopes: those that were asked for.
    ///   - nonce: the one that was sent; nil where the flow has no place for one.
    ///   - subject: whom the login must be about; nil for anybody.
    func validate(
        _ response: TokenResponse, metadata: ProviderMetadata, scopes: [String], nonce: Secret?, subject: String?,
        parameters: AuthorizationParameters
    ) throws(LoginError) {
        guard let token = response.idToken else {
            // Without the scope it is plain OAuth, and nobody promised to say who signed in.
            if scopes.contains("openid") { throw .tokenEndpoint(.unacceptable(.missingIDToken)) }
            return
        }
        var rules = IDTokenRules(
            issuer: metadata.issuer, clientID: client.id, leeway: profile.leeway, nonce: nonce, subject: subject)
        rules.maxAge = parameters.maxAge
        rules.authenticationContexts = parameters.authenticationContexts
        do {
            let validator = IDTokenValidator(metadata: metadata, http: http, ceremony: ceremony)
            try validator.validate(token, by: rules, accessToken: response.accessToken, now: now())
        } catch {
            try throwInterruption()
            throw .idToken(error)
        }
    }

    /// - Parameter signals: the watch over them, which ends here: from now on a keyring's prompt can be left.
    func keep(
        _ state: AuthState, releasing signals: [EventSource], _ save: (AuthState) throws(Complaint) -> Void
    ) throws(LoginError) {
        // A signal that came meanwhile is noticed only when the loop runs.
        loop.drain()
        try throwInterruption()
        for source in signals { source.cancel() }
        do {
            try save(state)
        } catch {
            throw .notSaved(error)
        }
    }

    /// Whatever failed, a signal is the reason.
    func throwInterruption() throws(LoginError) {
        if let signal = loop.interruption { throw .interrupted(signal) }
    }
}
