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
        /// Seconds that the person has; nil: 180 for the browser, the code's own life for the device flow.
        package var deadline: Int?
        /// Extra parameters of this login; they win over the profile's of the same name.
        package var parameters = FormFields()
        /// In place of the profile's redirect URIs.
        package var redirectURIs: [RedirectURI]?
        /// Whom the login must be about; nil: whoever signs in.
        package var subject: String?
        /// The ID token of the login that stands: some issuers let nobody pass silently without it (OpenID Connect Core
        /// section 3.1.2.1).
        package var idTokenHint: Secret?
        /// Seconds that a browser has for asking for the page.
        package var browserPatience = 5
        /// Seconds until the person is told what may be wrong.
        package var reminder = 20

        package init() {}
    }

    /// Seconds that the person has when nobody says otherwise.
    package static let defaultDeadline = 180

    private let steps: LoginSteps
    private let browser: BrowserChoice
    private let terminal: () -> TerminalLines?
    private let announce: (LoginProgress) -> Void

    private var profile: Profile { steps.profile }
    private var client: ClientRegistration { steps.client }
    private var loop: EventLoop { steps.loop }

    /// - Parameters:
    ///   - terminal: where the person may paste the redirect; asked once the login waits for it.
    ///   - now: the clock that tokens are held against.
    ///   - announce: gets each step as it is taken.
    package init(
        profile: Profile, client: ClientRegistration, http: HTTPClient, browser: BrowserChoice,
        terminal: @escaping () -> TerminalLines? = { nil }, ceremony: Ceremony = .system,
        now: @escaping () -> NumericDate = Clock.now, announce: @escaping (LoginProgress) -> Void
    ) {
        steps = LoginSteps(profile: profile, client: client, http: http, ceremony: ceremony, now: now)
        self.browser = browser
        self.terminal = terminal
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
        let metadata = try steps.discover()
        if parameters.isSilent, options.opensBrowser, browser.commands(for: metadata.issuer).isEmpty {
            throw .noBrowser
        }
        if wantsDeviceFlow(options, parameters, metadata) {
            announce(.browserFailed([]))
            return try DeviceFlow(steps, announce: announce).run(options, parameters, metadata, signals, save)
        }
        let listener = try listen(options)
        let request = AuthorizationRequest(
            metadata: metadata, clientID: client.id, redirectURI: listener.redirectURI,
            scopes: metadata.scopes(asked: profile.scopes), parameters: parameters.fields,
            idTokenHint: options.idTokenHint, ceremony: steps.ceremony)
        let state: AuthState
        do throws(LoginError) {
            let answer = try waitForAnswer(to: request, at: listener, options)
            let code = try read(answer)
            let response = try steps.exchange(
                .authorizationCode(code, redirectURI: request.redirectURI, verifier: request.verifier.secret),
                at: metadata)
            try steps.validate(
                response, metadata: metadata, scopes: request.scopes, nonce: request.nonce, subject: options.subject,
                parameters: parameters)
            state = AuthState(
                issuer: metadata.issuer, clientID: client.id, redirectURI: request.redirectURI,
                tokenEndpoint: metadata.tokenEndpoint.description,
                requestedScope: request.scopes.joined(separator: " "), response: response)
            try steps.keep(state, releasing: signals, save)
        } catch {
            listener.conclude(with: ResultPage(error))
            throw error
        }
        listener.conclude(
            with: .signedIn(
                issuer: steps.issuerHost, person: state.claims?.claims["name"]?.string ?? state.person,
                detail: state.person, profile: profile.name))
        return state
    }

    /// Nothing here could open the page, and nobody asked for its address.
    private func wantsDeviceFlow(
        _ options: Options, _ parameters: AuthorizationParameters, _ metadata: ProviderMetadata
    ) -> Bool {
        options.opensBrowser && options.redirectURIs == nil && !parameters.isSilent
            && metadata[.deviceAuthorization] != nil && browser.commands(for: metadata.issuer).isEmpty
    }

    // MARK: Steps

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
        let seconds = options.deadline ?? Self.defaultDeadline
        let start = listener.expect(request, ceremony: steps.ceremony)
        let launch =
            options.opensBrowser
            ? BrowserLaunch(browser.commands(for: start), loop: loop, isVisited: { listener.wasStarted }) : nil
        let terminal = terminal()
        let announceAddress = {
            announce(.visit(url: request.url.description, forward: listener.forwarding))
            if terminal != nil { announce(.pasteWelcome(redirectURI: request.redirectURI)) }
        }
        if let command = launch?.current { announce(.opened(browser: command.name, issuer: steps.issuerHost)) }
        if launch == nil { announceAddress() }
        announce(.waiting(redirectURI: request.redirectURI, seconds: seconds))
        terminal?.watch(in: loop) { line in
            if let error = listener.take(line) { announce(.pasteRefused(error)) }
        }
        let trip = BrowserTrip(
            loop: loop, listener: listener, launch: launch, patience: options.browserPatience,
            reminder: options.reminder)
        let isInTime = try trip.wait(seconds: seconds, until: { listener.answer != nil }) { event in
            switch event {
            case .failed(let failures):
                announce(.browserFailed(failures))
                announceAddress()
            case .notBegun(let browser, let seconds):
                announce(.browserSilent(browser: browser, seconds: seconds))
                announceAddress()
            case .overdue:
                announce(
                    .overdue(redirectURI: request.redirectURI, clientID: client.id, issuer: profile.issuer))
            }
        }
        guard isInTime, let answer = listener.answer else {
            throw .timedOut(
                seconds: seconds, redirectURI: request.redirectURI, clientID: client.id, issuer: profile.issuer)
        }
        announce(.received)
        return answer
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
        default:
            let complaint = Complaint(error)
            self = .failed(complaint.message, hint: complaint.hint)
        }
    }
}
