import CGLib
import Configuration
import JSON
import OpenIDConnect
import Program
import Sensitive
import WebAddress

/// A login, from the profile to the saved state: the authorization code flow with PKCE through the person's own browser
/// (RFC 8252, OpenID Connect Core section 3.1).
///
/// It builds a new state and saves it when it is complete; whatever happens before leaves the stored one alone.
package struct LoginFlow {
    package struct Options: Sendable {
        /// Else the issuer's address is printed for the person to open.
        package var opensBrowser = true
        /// Seconds that the person has.
        package var deadline = 180
        /// Extra parameters of this login; they win over the profile's of the same name.
        package var parameters = FormFields()
        /// In place of the profile's redirect URIs.
        package var redirectURIs: [RedirectURI]?

        package init() {}
    }

    private let profile: Profile
    private let client: ClientRegistration
    private let http: HTTPClient
    private let browser: BrowserChoice
    private let ceremony: Ceremony
    private let now: () -> NumericDate
    private let announce: (LoginProgress) -> Void

    private var loop: EventLoop { http.loop }

    /// - Parameters:
    ///   - now: the clock that tokens are held against.
    ///   - announce: gets each step as it is taken.
    package init(
        profile: Profile, client: ClientRegistration, http: HTTPClient, browser: BrowserChoice,
        ceremony: Ceremony = .system, now: @escaping () -> NumericDate = Clock.now,
        announce: @escaping (LoginProgress) -> Void
    ) {
        self.profile = profile
        self.client = client
        self.http = http
        self.browser = browser
        self.ceremony = ceremony
        self.now = now
        self.announce = announce
    }

    /// Signs in.
    ///
    /// - Parameter save: called once with the complete state. When it throws, the login has failed and the page in the
    ///   browser says so. While it runs, SIGINT and its kin have their default action: a keyring's prompt can be left.
    /// - Returns: the state that was saved.
    package func run(
        _ options: Options = Options(), save: (AuthState) throws(Complaint) -> Void
    ) throws(LoginError) -> AuthState {
        let signals = loop.watchSignals()
        defer { for source in signals { source.cancel() } }

        let parameters = try AuthorizationParameters(profile: profile, login: options.parameters)
        let metadata = try discover()
        let listener = try listen(options)
        let request = AuthorizationRequest(
            metadata: metadata, clientID: client.id, redirectURI: listener.redirectURI,
            scopes: metadata.scopes(asked: profile.scopes), parameters: parameters.fields, ceremony: ceremony)
        let state: AuthState
        do throws(LoginError) {
            let answer = try waitForAnswer(to: request, at: listener, options)
            let code = try read(answer)
            let response = try exchange(code, request)
            try validate(response, request, parameters)
            state = AuthState(
                issuer: metadata.issuer, clientID: client.id, redirectURI: request.redirectURI,
                tokenEndpoint: metadata.tokenEndpoint.description,
                requestedScope: request.scopes.joined(separator: " "), response: response)
            // A signal that came meanwhile is noticed only when the loop runs.
            loop.drain()
            if let signal = loop.interruption { throw .interrupted(signal) }
            for source in signals { source.cancel() }
            try keep(state, save)
        } catch {
            listener.conclude(with: ResultPage(error))
            throw error
        }
        listener.conclude(with: .signedIn(issuer: issuerHost, person: state.person))
        return state
    }

    private var issuerHost: String { profile.issuerURL.origin.authority }

    // MARK: Steps

    private func discover() throws(LoginError) -> ProviderMetadata {
        do {
            return try Discovery(http: http).metadata(of: profile)
        } catch {
            if let signal = loop.interruption { throw .interrupted(signal) }
            throw .discovery(error, issuer: profile.issuer)
        }
    }

    private func listen(_ options: Options) throws(LoginError) -> LoopbackListener {
        do {
            return try LoopbackListener(binding: options.redirectURIs ?? profile.redirectURIs, loop: loop)
        } catch {
            throw .listener(error)
        }
    }

    private func waitForAnswer(
        to request: AuthorizationRequest, at listener: LoopbackListener, _ options: Options
    ) throws(LoginError) -> AuthorizationResponse {
        let start = listener.expect(request, ceremony: ceremony)
        var isLate = false
        let deadline = loop.timer(after: Double(options.deadline)) { isLate = true }
        defer { deadline.cancel() }
        let launch = options.opensBrowser ? BrowserLaunch(browser.commands(for: start), loop: loop) : nil
        if let command = launch?.current { announce(.opened(browser: command.name, issuer: issuerHost)) }
        if launch == nil { announceAddress(request, listener) }
        announce(.waiting(redirectURI: request.redirectURI, seconds: options.deadline))
        var isFallenBack = launch == nil
        while true {
            // A browser that fetched the address works, whatever its starter ended with.
            let hasFailed = { !isFallenBack && launch?.hasFailed == true && !listener.wasStarted }
            loop.run { listener.answer != nil || loop.interruption != nil || isLate || hasFailed() }
            if let answer = listener.answer {
                announce(.received)
                return answer
            }
            if let signal = loop.interruption { throw .interrupted(signal) }
            if isLate {
                throw .timedOut(
                    seconds: options.deadline, redirectURI: request.redirectURI, clientID: client.id,
                    issuer: profile.issuer)
            }
            isFallenBack = true
            announce(.browserFailed(launch?.failures ?? []))
            announceAddress(request, listener)
        }
    }

    /// The issuer's whole address, since the short one is good for this machine's browser alone.
    private func announceAddress(_ request: AuthorizationRequest, _ listener: LoopbackListener) {
        let name = g_get_host_name().map { String(cString: $0) } ?? "HOST"
        let port = listener.port
        announce(.visit(url: request.url.description, forward: "ssh -L \(port):\(listener.host):\(port) \(name)"))
    }

    private func read(_ answer: AuthorizationResponse) throws(LoginError) -> Secret {
        switch answer {
        case .code(let code): return code
        case .refused(let error) where error.code == "access_denied": throw .denied(error)
        case .refused(let error): throw .refused(error)
        case .unacceptable(let why): throw .unacceptableRedirect(why)
        case .foreign: throw .refused(OAuthError(code: "invalid_request"))
        }
    }

    private func exchange(_ code: Secret, _ request: AuthorizationRequest) throws(LoginError) -> TokenResponse {
        let tokens = TokenRequest(
            .authorizationCode(code, redirectURI: request.redirectURI, verifier: request.verifier.secret),
            client: client)
        do {
            return try TokenEndpoint(request.metadata.tokenEndpoint, http: http, now: now).send(tokens)
        } catch {
            if let signal = loop.interruption { throw .interrupted(signal) }
            throw .tokenEndpoint(error)
        }
    }

    private func keep(
        _ state: AuthState, _ save: (AuthState) throws(Complaint) -> Void
    ) throws(LoginError) {
        do {
            try save(state)
        } catch {
            throw .notSaved(error)
        }
    }

    private func validate(
        _ response: TokenResponse, _ request: AuthorizationRequest, _ parameters: AuthorizationParameters
    ) throws(LoginError) {
        guard let token = response.idToken else {
            // Without the scope it is plain OAuth, and nobody promised to say who signed in.
            if request.scopes.contains("openid") { throw .tokenEndpoint(.unacceptable(.missingIDToken)) }
            return
        }
        var rules = IDTokenRules(
            issuer: request.metadata.issuer, clientID: client.id, leeway: profile.leeway, nonce: request.nonce)
        rules.maxAge = parameters.maxAge
        rules.authenticationContexts = parameters.authenticationContexts
        do {
            let validator = IDTokenValidator(metadata: request.metadata, http: http, ceremony: ceremony)
            try validator.validate(token, by: rules, accessToken: response.accessToken, now: now())
        } catch {
            if let signal = loop.interruption { throw .interrupted(signal) }
            throw .idToken(error)
        }
    }
}

extension AuthState {
    /// Who signed in, as a person would say it: the e-mail address or the name; nil when the issuer tells neither.
    package var person: String? {
        let claims = claims?.claims
        return claims?["email"]?.string ?? claims?["name"]?.string ?? claims?["phone_number"]?.string
    }
}

extension ResultPage {
    /// The truth about a login that failed.
    package init(_ error: LoginError) {
        switch error {
        case .denied: self = .denied
        case .timedOut: self = .timedOut
        default: self = .failed(Complaint(error).message)
        }
    }
}
