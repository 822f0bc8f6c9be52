import Configuration
import OpenIDConnect
import Program
import Sensitive
import WebAddress

/// Signs the person out at the issuer, in the browser that signed in (OpenID Connect RP-Initiated Logout 1.0).
///
/// It touches no stored login. Nobody but the issuer's redirect can tell that it was done, so that comes to the same
/// listener as a login's; an issuer that does not send the browser back leaves it open what became of it.
package struct BrowserSignOut {
    package enum Outcome: Sendable, Equatable {
        case signedOut
        /// The metadata lists no end session endpoint.
        case notOffered
        /// The browser went there and has not come back: done perhaps.
        case notConfirmed(redirectURI: String, seconds: Int)
        /// The browser went there without a way back, since no port of the profile's was free.
        case noWayBack(ListenError)
        /// No browser asked for the page in time.
        case notVisited(seconds: Int)
        case refused(OAuthError)
    }

    package struct Options: Sendable {
        /// Seconds until nobody waits any more.
        package var deadline = 60
        /// Seconds that a browser has for asking for the page.
        package var browserPatience = 5

        package init() {}
    }

    private let steps: LoginSteps
    private let browser: BrowserChoice
    private let announce: (LoginProgress) -> Void

    private var loop: EventLoop { steps.loop }

    package init(
        profile: Profile, client: ClientRegistration, http: HTTPClient, browser: BrowserChoice,
        ceremony: Ceremony = .system, announce: @escaping (LoginProgress) -> Void
    ) {
        steps = LoginSteps(profile: profile, client: client, http: http, ceremony: ceremony, now: Clock.now)
        self.browser = browser
        self.announce = announce
    }

    /// - Parameter idToken: of the login that ends, so that the issuer need not ask whose; it may have expired.
    /// - Throws: when the metadata cannot be had, no port at all is free, or a signal came.
    package func run(
        _ options: Options = Options(), idToken: Secret?
    ) throws(LoginError) -> Outcome {
        let signals = loop.watchSignals()
        defer { for source in signals { source.cancel() } }

        guard let endpoint = try steps.discover()[.endSession] else { return .notOffered }
        let (listener, missing) = try listen()
        let request = EndSessionRequest(
            endpoint: endpoint, clientID: steps.client.id, idToken: idToken,
            redirectURI: missing == nil ? listener.redirectURI : nil, ceremony: steps.ceremony)
        do throws(LoginError) {
            let outcome = try wait(for: request, at: listener, options, missing)
            listener.conclude(with: ResultPage(outcome, issuer: steps.issuerHost))
            return outcome
        } catch {
            listener.close()
            throw error
        }
    }

    /// - Returns: the listener, and why it is not at one of the profile's ports but at one that is good for sending the
    ///   browser off alone.
    private func listen() throws(LoginError) -> (LoopbackListener, missing: ListenError?) {
        do {
            return (try LoopbackListener(binding: steps.profile.redirectURIs, loop: loop), nil)
        } catch let failure {
            do {
                let anyPort = RedirectURI("http://127.0.0.1/").map { [$0] } ?? []
                return (try LoopbackListener(binding: anyPort, loop: loop), failure)
            } catch {
                throw .listener(failure)
            }
        }
    }

    private func wait(
        for request: EndSessionRequest, at listener: LoopbackListener, _ options: Options, _ missing: ListenError?
    ) throws(LoginError) -> Outcome {
        let start = listener.expect(request, ceremony: steps.ceremony)
        let launch = BrowserLaunch(browser.commands(for: start), loop: loop, isVisited: { listener.wasStarted })
        if let command = launch.current {
            announce(.openedToSignOut(browser: command.name, issuer: steps.issuerHost))
        }
        let trip = BrowserTrip(
            loop: loop, listener: listener, launch: launch, patience: options.browserPatience,
            reminder: options.deadline)
        let isDone = { listener.endSessionAnswer != nil || (missing != nil && listener.wasStarted) }
        _ = try trip.wait(seconds: options.deadline, until: isDone) { event in
            switch event {
            case .failed(let failures): announce(.browserFailed(failures))
            case .notBegun(let browser, let seconds): announce(.browserSilent(browser: browser, seconds: seconds))
            case .overdue: return
            }
            // Not the issuer's address: the ID token in it opens hosts that take one.
            announce(.visitToSignOut(url: start, forward: listener.forwarding))
        }
        switch listener.endSessionAnswer {
        case .signedOut: return .signedOut
        case .refused(let error): return .refused(error)
        case .foreign, nil: break
        }
        guard listener.wasStarted else { return .notVisited(seconds: options.deadline) }
        guard let missing else {
            return .notConfirmed(redirectURI: listener.redirectURI, seconds: options.deadline)
        }
        try lastRedirect()
        return .noWayBack(missing)
    }

    /// The browser has a second for taking the redirect to the issuer.
    private func lastRedirect() throws(LoginError) {
        var isOver = false
        let timer = loop.timer(after: 1) { isOver = true }
        defer { timer.cancel() }
        loop.run { isOver || loop.interruption != nil }
        try steps.throwInterruption()
    }
}

extension BrowserSignOut.Outcome: CustomStringConvertible {
    package var description: String {
        switch self {
        case .signedOut: "the browser is signed out at the issuer"
        case .notOffered: "the issuer offers no sign-out in the browser"
        case .notConfirmed(let redirectURI, let seconds):
            "whether the browser is signed out could not be confirmed: it did not come back to \(redirectURI) "
                + "within \(seconds) s"
        case .noWayBack(let error):
            "whether the browser is signed out could not be confirmed: \(error)"
        case .notVisited(let seconds): "the browser is not signed out: it did not open the page within \(seconds) s"
        case .refused(let error): "the issuer did not sign the browser out: \(error)"
        }
    }
}

extension ResultPage {
    /// The truth about a sign-out, for the browser that came back.
    init(_ outcome: BrowserSignOut.Outcome, issuer: String) {
        self = outcome == .signedOut ? .signedOut(issuer: issuer) : .notSignedOut("\(outcome)")
    }
}
