import JOSE
import JSON
import Markup
import Program
import Sensitive
import WebAddress

/// An OpenID provider with one public client: requests in, answers out, no socket and no file.
final class Issuer {
    static let clientID = "mojoauth-cli"
    static let clientName = "MojoAuth command line"
    static let supportedScopes = ["openid", "profile", "email", "offline_access"]
    static let codeLifetime = 60
    /// Where faults redirect to: whoever asks there has followed.
    static let elsewherePath = "/sandbox/elsewhere"
    static let flowLifetime = 600

    /// The issuer identifier: the origin, without a slash at its end.
    let url: String
    let options: SandboxOptions
    /// Whoever knows it may turn faults on and off.
    let control = Secret(Randomness.token())
    let redirects: RedirectRules
    /// nil: the client is public (RFC 6749 section 2.1).
    let clientSecret: Secret?
    var faults: FaultSet
    var keys: IssuerKeys

    var codes: [String: AuthorizationCode] = [:]
    /// By the identifier of their grant.
    var families: [String: RefreshFamily] = [:]
    var flows: [String: LoginFlow] = [:]
    var sessions: [String: BrowserSession] = [:]
    /// By device code.
    var devices: [String: DeviceGrant] = [:]
    /// `jti` of access tokens that were revoked one by one, and grants whose tokens all are.
    var revokedTokens: Set<String> = []
    var revokedGrants: Set<String> = []
    /// The grant that an access token came from, by `jti`.
    var grantsOfTokens: [String: Grant] = [:]

    init(url: String, options: SandboxOptions, clientSecret: Secret? = nil) throws(JOSEError) {
        self.url = url
        self.clientSecret = clientSecret
        self.options = options
        redirects = RedirectRules(registered: options.redirectURIs)
        faults = FaultSet(issuer: url, settings: options.faults)
        keys = try IssuerKeys()
    }

    /// Cookies of two sandboxes on one host must not meet: a browser does not tell ports apart.
    private var cookieSuffix: String {
        WebURL(url).map { "_\($0.origin.port)" } ?? ""
    }

    var sessionCookie: String { "mojoauth_sandbox_session" + cookieSuffix }
    var browserCookie: String { "mojoauth_sandbox_browser" + cookieSuffix }

    func cookie(_ name: String, _ value: String) -> String {
        "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax" + (url.hasPrefix("https:") ? "; Secure" : "")
    }

    /// Answers one request.
    func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard let endpoint = Endpoint(rawValue: request.path), endpoint != .git else {
            faults.rest()
            return answerPage(request)
        }
        faults.begin(endpoint, isRefresh: request.form?["grant_type"] == "refresh_token")
        if options.wantsEnvironmentQuery, endpoint.metadataName != nil, request.query?["env"] != "test" {
            return OAuthError.invalidRequest("the query of this endpoint must hold env=test").response
        }
        var response = faults.instead(of: endpoint) ?? answer(request, at: endpoint)
        faults.spoil(&response, of: endpoint)
        return response
    }

    private func answer(_ request: HTTPRequest, at endpoint: Endpoint) -> HTTPResponse {
        let isRead = request.method == "GET" || request.method == "HEAD"
        let isPost = request.method == "POST"
        switch endpoint {
        case .metadata where isRead: return json(metadata, of: .metadata)
        case .keys where isRead: return keySet()
        case .authorization where isRead || isPost: return authorize(request)
        case .token where isPost: return token(request)
        case .userinfo where isRead || isPost: return userinfo(request)
        case .device where isPost: return authorizeDevice(request)
        case .revocation where isPost: return revoke(request)
        case .introspection where isPost: return introspect(request)
        case .logout where isRead || isPost: return logOut(request)
        default: return .text("this endpoint does not know \(request.method)", status: 405)
        }
    }

    private func answerPage(_ request: HTTPRequest) -> HTTPResponse {
        if request.path.hasPrefix(Self.controlPath) { return controlFaults(request) }
        if request.path == Self.elsewherePath { return .json(metadata) }
        switch (request.path, request.method) {
        case ("/login", "GET"): return showFlow(request)
        case ("/login", "POST"): return continueFlow(request)
        case ("/device", "GET"): return showDevice(request)
        case ("/sandbox/picture.svg", "GET"):
            return HTTPResponse(status: 200, type: "image/svg+xml", body: Array(Page.Mark.houseSVG.utf8))
        case ("/", "GET"): return Pages.welcome(issuer: url)
        default: return Pages.problem("There is no such page", "The sandbox has nothing at this address.", status: 404)
        }
    }

    /// A JSON answer that faults may have changed.
    func json(_ object: JSONObject, of endpoint: Endpoint) -> HTTPResponse {
        var object = object
        faults.change(&object, of: endpoint)
        return .json(object)
    }

    private func keySet() -> HTTPResponse {
        guard let set = try? keys.set else { return HTTPResponse(status: 500) }
        return json(set, of: .keys)
    }

    /// Forgets what has run out, so that a sandbox that runs for days stays small.
    func sweep() {
        let now = Clock.now()
        codes = codes.filter { $0.value.expiresAt + 600 > now }
        flows = flows.filter { $0.value.expiresAt > now }
        devices = devices.filter { $0.value.expiresAt + 600 > now }
    }
}
