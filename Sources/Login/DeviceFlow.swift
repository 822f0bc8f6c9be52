import Configuration
import OpenIDConnect
import Program
import Sensitive
import WebAddress

/// A login without a browser of this machine's: the person types a code at another device (RFC 8628).
///
/// No redirect comes, so there is nothing to listen for; the token endpoint is asked until it knows.
package struct DeviceFlow {
    private let steps: LoginSteps
    private let announce: (LoginProgress) -> Void
    private let secondLength: Double

    private var loop: EventLoop { steps.loop }

    /// Longest pause between two questions while the issuer is not well, in seconds.
    private static let longestPause = 60.0
    /// Added to the interval by each `slow_down` (section 3.5).
    private static let slowDown = 5.0

    /// - Parameters:
    ///   - now: the clock that tokens are held against.
    ///   - secondLength: how long a second of all pauses lasts, for tests that have less time than people.
    ///   - announce: gets each step as it is taken.
    package init(
        profile: Profile, client: ClientRegistration, http: HTTPClient, ceremony: Ceremony = .system,
        now: @escaping () -> NumericDate = Clock.now, secondLength: Double = 1,
        announce: @escaping (LoginProgress) -> Void
    ) {
        self.init(
            LoginSteps(profile: profile, client: client, http: http, ceremony: ceremony, now: now),
            secondLength: secondLength, announce: announce)
    }

    init(_ steps: LoginSteps, secondLength: Double = 1, announce: @escaping (LoginProgress) -> Void) {
        self.steps = steps
        self.secondLength = secondLength
        self.announce = announce
    }

    /// Signs in.
    ///
    /// - Parameter save: as for ``LoginFlow/run(_:save:)``.
    /// - Returns: the state that was saved.
    package func run(
        _ options: LoginFlow.Options = LoginFlow.Options(), save: (AuthState) throws(Complaint) -> Void
    ) throws(LoginError) -> AuthState {
        let signals = loop.watchSignals()
        defer { for source in signals { source.cancel() } }
        let parameters = try AuthorizationParameters(profile: steps.profile, login: options.parameters)
        return try run(options, parameters, try steps.discover(), signals, save)
    }

    func run(
        _ options: LoginFlow.Options, _ parameters: AuthorizationParameters, _ metadata: ProviderMetadata,
        _ signals: [EventSource], _ save: (AuthState) throws(Complaint) -> Void
    ) throws(LoginError) -> AuthState {
        guard let endpoint = metadata[.deviceAuthorization] else {
            throw .deviceFlowNotOffered(issuer: metadata.issuer)
        }
        let scopes = metadata.scopes(asked: steps.profile.scopes)
        let device = try authorize(at: endpoint, scopes, parameters)
        // The time that the code has counts from here by a clock that nobody sets.
        let seconds = min(max(device.expiresAt - steps.now(), 0), options.deadline ?? Int.max)
        let deadline = Clock.monotonic() + Double(seconds) * secondLength
        announce(
            .enterCode(
                userCode: device.userCode, at: device.verificationURI.description,
                complete: device.completeVerificationURI?.description, seconds: seconds))
        let response = try poll(device, metadata, until: deadline, seconds)
        announce(.codeAccepted)
        try steps.validate(
            response, metadata: metadata, scopes: scopes, nonce: nil, subject: options.subject, parameters: parameters)
        let state = AuthState(
            issuer: metadata.issuer, clientID: steps.client.id, redirectURI: "",
            tokenEndpoint: metadata.tokenEndpoint.description, requestedScope: scopes.joined(separator: " "),
            response: response)
        try steps.keep(state, releasing: signals, save)
        return state
    }

    private func authorize(
        at endpoint: WebURL, _ scopes: [String], _ parameters: AuthorizationParameters
    ) throws(LoginError) -> DeviceAuthorization {
        do throws(LoginError) {
            return try DeviceAuthorizationEndpoint(url: endpoint, http: steps.http, now: steps.now).send(
                client: steps.client, scopes: scopes, parameters: parameters.fields)
        } catch {
            try steps.throwInterruption()
            throw error
        }
    }

    /// Asks again and again, never before the pause that the issuer wants.
    private func poll(
        _ device: DeviceAuthorization, _ metadata: ProviderMetadata, until deadline: Double, _ seconds: Int
    ) throws(LoginError) -> TokenResponse {
        var interval = Double(device.interval)
        var pause = interval
        var lastFailure: LoginError?
        while try wait(pause, until: deadline) {
            do throws(LoginError) {
                return try steps.exchange(.deviceCode(device.deviceCode), at: metadata)
            } catch {
                switch Answer(error) {
                case .pending: (pause, lastFailure) = (interval, nil)
                case .tooFast:
                    interval += Self.slowDown
                    (pause, lastFailure) = (interval, nil)
                case .transient(let asked):
                    // Whoever did not answer gets more time with each failure, and at least what it asks for.
                    pause = max(min(pause * 2, Self.longestPause), interval, asked)
                    lastFailure = error
                case .expired: throw .codeNotEntered(seconds: seconds)
                case .denied(let refusal): throw .denied(refusal)
                case .final: throw error
                }
            }
        }
        throw lastFailure ?? .codeNotEntered(seconds: seconds)
    }

    /// What the token endpoint's refusal means for the next question (section 3.5).
    private enum Answer {
        case pending
        case tooFast
        case transient(pause: Double)
        case expired
        case denied(OAuthError)
        case final

        init(_ error: LoginError) {
            guard case .tokenEndpoint(let error) = error else {
                self = .final
                return
            }
            switch error {
            case .oauth(let oauth, _) where oauth.code == "authorization_pending": self = .pending
            case .oauth(let oauth, _) where oauth.code == "slow_down": self = .tooFast
            case .oauth(let oauth, _) where oauth.code == "expired_token": self = .expired
            case .oauth(let oauth, _) where oauth.code == "access_denied": self = .denied(oauth)
            case .unavailable(_, let pause): self = .transient(pause: Double(pause ?? 0))
            default: self = error.isTransient ? .transient(pause: 0) : .final
            }
        }
    }

    /// - Returns: false when the deadline comes first.
    private func wait(_ seconds: Double, until deadline: Double) throws(LoginError) -> Bool {
        let pause = seconds * secondLength
        let left = deadline - Clock.monotonic()
        var isOver = false
        let timer = loop.timer(after: min(pause, left)) { isOver = true }
        defer { timer.cancel() }
        loop.run { isOver || loop.interruption != nil }
        try steps.throwInterruption()
        return pause < left
    }
}
