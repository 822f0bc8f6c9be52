import Configuration
import OpenIDConnect
import Sensitive
import WebAddress

/// Receives the redirect: bound before the browser opens, deaf to everybody but the answer to our own request.
///
/// The one address that it serves besides sends the browser on to the issuer, so that state and nonce do not stand in
/// an argument list. Whoever asks for anything else, or comes without our state, gets an error page and ends nothing.
package final class LoopbackListener {
    /// As it goes into the authorization request.
    package let redirectURI: String
    package let port: Int
    /// As a URL spells it.
    package var host: String { uri.host }
    /// The first acceptable answer.
    package private(set) var answer: AuthorizationResponse?
    /// Has a browser asked for the way to the issuer?
    package private(set) var wasStarted = false

    private let loop: EventLoop
    private let limits: ListenerLimits
    private let uri: RedirectURI
    private var server: LoopbackServer?
    private var expected: (request: AuthorizationRequest, startPath: Secret)?
    private var held: [ServerRequest] = []

    /// Seconds that the browser has for taking the last page.
    private static let lastPage = 1.0

    /// Binds the first of `uris` whose port is free and listens from now on.
    package init(
        binding uris: [RedirectURI], loop: EventLoop, limits: ListenerLimits = ListenerLimits()
    ) throws(ListenError) {
        self.loop = loop
        self.limits = limits
        let (sockets, uri) = try LoopbackSockets.bind(uris, loop: loop)
        self.uri = uri
        port = sockets.port
        redirectURI = uri.text(port: sockets.port)
        server = LoopbackServer(adopting: sockets, loop: loop, limits: limits) { [unowned self] in handle($0) }
    }

    /// From now on the answer to `request` is waited for.
    ///
    /// - Returns: the address to open: good for one visit, and not to be guessed by another user of this machine.
    package func expect(_ request: AuthorizationRequest, ceremony: Ceremony) -> String {
        let path = "/start/" + (ceremony.token().text ?? "")
        expected = (request, Secret(path))
        return "http://\(uri.host):\(port)\(path)"
    }

    /// Gives the waiting browser its last page and closes; a browser that does not take it is waited for a second.
    package func conclude(with page: ResultPage) {
        for request in held { request.release(with: page.reply) }
        var isLate = false
        let limit = loop.timer(after: Self.lastPage) { isLate = true }
        loop.run { isLate || held.allSatisfy(\.isFinished) }
        limit.cancel()
        close()
    }

    /// Closes the port and all connections.
    package func close() {
        server?.close()
        held = []
    }

    // MARK: Requests

    private func handle(_ request: ServerRequest) {
        if let page = consider(request) { request.answer(page.reply) }
    }

    /// - Returns: the page for whoever is not the one we wait for; nil when the request is taken care of.
    private func consider(_ request: ServerRequest) -> ResultPage? {
        guard let host = request[header: "host"], isOurs(host) else { return .foreignHost }
        guard let expected else { return .notFound }
        if Secret(request.path) == expected.startPath { return start(request, expected.request) }
        guard request.path == uri.path || (uri.path.isEmpty && request.path == "/") else { return .notFound }
        guard isAcceptable(origin: request[header: "origin"], request.method, expected.request) else {
            return .foreignOrigin
        }
        let fields: FormFields?
        switch request.method {
        case "GET": fields = FormFields(parsing: request.query ?? "")
        case "POST":
            let type = request[header: "content-type"]?.prefix { $0 != ";" }.lowercased()
            guard type == "application/x-www-form-urlencoded" else { return .notAllowed }
            fields = String(validating: request.body, as: UTF8.self).flatMap { FormFields(parsing: $0) }
        default: return .notAllowed
        }
        return receive(AuthorizationResponse(reading: fields, answering: expected.request), request)
    }

    /// The authority of the redirect URI, byte for byte: a name that somebody's DNS points here is not ours.
    private func isOurs(_ host: String) -> Bool {
        let authority = "\(uri.host):\(port)"
        return host == authority || (port == 80 && host == uri.host)
    }

    /// A navigation carries no Origin; the issuer's form carries its own, or `null` when it sends no referrer.
    private func isAcceptable(origin: String?, _ method: String, _ request: AuthorizationRequest) -> Bool {
        guard let origin else { return true }
        if method == "POST", origin == "null" { return true }
        let known = [request.metadata.authorizationEndpoint.origin, WebURL(request.metadata.issuer)?.origin]
        return known.contains { $0?.description == origin } || origin == "http://\(uri.host):\(port)"
    }

    private func start(_ request: ServerRequest, _ authorization: AuthorizationRequest) -> ResultPage? {
        guard request.method == "GET" else { return .notAllowed }
        guard !wasStarted else { return .expired }
        wasStarted = true
        request.answer(
            ServerReply(status: 302, headers: [("Location", authorization.url.description)], html: ""))
        return nil
    }

    private func receive(_ response: AuthorizationResponse, _ request: ServerRequest) -> ResultPage? {
        if case .foreign(let why) = response { return why == .wrongState ? .wrongLogin : .malformed }
        // The same answer once more waits for the same page; it changes nothing.
        guard held.count < limits.held else { return .expired }
        answer = answer ?? response
        server?.spare(request)
        request.hold()
        held.append(request)
        return nil
    }
}
