import CGLib
import Configuration
import OpenIDConnect
import Program
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
    /// What brings the port to a browser on another machine.
    var forwarding: String {
        let name = g_get_host_name().map { String(cString: $0) } ?? "HOST"
        return "ssh -L \(port):\(host):\(port) \(name)"
    }
    /// The first acceptable answer to an authorization request.
    package private(set) var answer: AuthorizationResponse?
    /// The first acceptable answer to an end session request.
    package private(set) var endSessionAnswer: EndSessionResponse?
    /// Has a browser asked for the way to the issuer?
    package private(set) var wasStarted = false

    private let loop: EventLoop
    private let limits: ListenerLimits
    private let uri: RedirectURI
    private var server: LoopbackServer?
    private var expected: Errand?
    private var held: [ServerRequest] = []
    /// How many requests were refused; only the first few are told of.
    private var refusals = 0

    /// What the browser is sent to the issuer with, and how its answer is known.
    private struct Errand {
        let url: WebURL
        /// Where a form with the answer may come from.
        let origins: [Origin]
        let startPath: Secret
        /// Takes the answer, or tells why it is none.
        let receive: (FormFields?) -> AuthorizationResponse.Foreign?
    }

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
        Steps.note("listening at \(redirectURI)")
        server = LoopbackServer(adopting: sockets, loop: loop, limits: limits) { [unowned self] in handle($0) }
    }

    /// From now on the answer to `request` is waited for.
    ///
    /// - Returns: the address to open: good for one visit, and not to be guessed by another user of this machine.
    package func expect(_ request: AuthorizationRequest, ceremony: Ceremony) -> String {
        let origins = [request.metadata.authorizationEndpoint.origin, WebURL(request.metadata.issuer)?.origin]
        return expect(request.browserURL, origins.compactMap(\.self), ceremony) { [unowned self] fields in
            let response = AuthorizationResponse(reading: fields, answering: request)
            if case .foreign(let why) = response { return why }
            answer = answer ?? response
            return nil
        }
    }

    /// The same for signing out.
    package func expect(_ request: EndSessionRequest, ceremony: Ceremony) -> String {
        expect(request.url, [request.url.origin], ceremony) { [unowned self] fields in
            let response = EndSessionResponse(reading: fields, answering: request)
            if case .foreign(let why) = response { return why }
            endSessionAnswer = endSessionAnswer ?? response
            return nil
        }
    }

    private func expect(
        _ url: WebURL, _ origins: [Origin], _ ceremony: Ceremony,
        receive: @escaping (FormFields?) -> AuthorizationResponse.Foreign?
    ) -> String {
        let path = "/start/" + (ceremony.token().text ?? "")
        expected = Errand(url: url, origins: origins, startPath: Secret(path), receive: receive)
        return "http://\(uri.host):\(port)\(path)"
    }

    /// Takes the redirect as a person pasted it, by the same rules as what the browser brings.
    ///
    /// - Returns: why it was not taken; nil when it was.
    package func take(_ line: TerminalLines.Line) -> PasteError? {
        guard case .text(let text) = line else { return .cut }
        // Copying may add some around an address.
        let surroundings: Set<Character> = [" ", "\t", "\"", "'", "<", ">"]
        let trimmed = text.drop(while: surroundings.contains)
        guard let last = trimmed.lastIndex(where: { !surroundings.contains($0) }),
            let url = WebURL(trimmed[...last])
        else { return .notAddress(expected: redirectURI) }
        guard url.origin.scheme == "http", url.userInfo == nil, url.origin.host.urlSpelling == uri.host,
            url.origin.port == port, isOurs(path: url.path)
        else { return .otherPlace(expected: redirectURI) }
        return expected?.receive(FormFields(parsing: url.query ?? "")).map { .foreign($0) }
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
        let page = consider(request)
        note(request, refusal: page)
        if let page { request.answer(page.reply) }
    }

    /// Says who came, without what they brought: the page's address, code and state are secrets.
    private func note(_ request: ServerRequest, refusal: ResultPage?) {
        let isRedirect = isOurs(path: request.path)
        let place =
            if isRedirect {
                "the redirect"
            } else if let expected, Secret(request.path) == expected.startPath {
                "our own address"
            } else {
                "another address"
            }
        guard let refusal else {
            Steps.note("a browser came to \(place): \(isRedirect ? "taken" : "sent on to the issuer")")
            return
        }
        refusals += 1
        guard refusals <= Self.toldRefusals else { return }
        Steps.note("somebody came to \(place): refused with \(refusal.status), \(refusal.title)")
        if refusals == Self.toldRefusals { Steps.note("no more is said of such visits") }
    }

    private static let toldRefusals = 10

    /// - Returns: the page for whoever is not the one we wait for; nil when the request is taken care of.
    private func consider(_ request: ServerRequest) -> ResultPage? {
        guard let host = request[header: "host"], isOurs(host) else { return .foreignHost }
        guard let expected else { return .notFound }
        if Secret(request.path) == expected.startPath { return start(request, to: expected.url) }
        guard isOurs(path: request.path) else { return .notFound }
        guard isAcceptable(origin: request[header: "origin"], request.method, expected.origins) else {
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
        if let why = expected.receive(fields) { return why == .wrongState ? .wrongLogin : .malformed }
        return hold(request)
    }

    private func isOurs(path: String) -> Bool { path == uri.path || (uri.path.isEmpty && path == "/") }

    /// The authority of the redirect URI, byte for byte: a name that somebody's DNS points here is not ours.
    private func isOurs(_ host: String) -> Bool {
        let authority = "\(uri.host):\(port)"
        return host == authority || (port == 80 && host == uri.host)
    }

    /// A navigation carries no Origin; the issuer's form carries its own, or `null` when it sends no referrer.
    private func isAcceptable(origin: String?, _ method: String, _ known: [Origin]) -> Bool {
        guard let origin else { return true }
        if method == "POST", origin == "null" { return true }
        return known.contains { $0.description == origin } || origin == "http://\(uri.host):\(port)"
    }

    private func start(_ request: ServerRequest, to issuer: WebURL) -> ResultPage? {
        guard request.method == "GET" else { return .notAllowed }
        guard !wasStarted else { return .expired }
        wasStarted = true
        request.answer(
            ServerReply(status: 302, headers: [("Location", issuer.description)], html: ""))
        return nil
    }

    /// Puts the answer's page off. The same answer once more waits for the same page; it changes nothing.
    private func hold(_ request: ServerRequest) -> ResultPage? {
        guard held.count < limits.held else { return .expired }
        server?.spare(request)
        request.hold()
        held.append(request)
        return nil
    }
}
