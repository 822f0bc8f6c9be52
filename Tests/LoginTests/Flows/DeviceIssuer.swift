import JSON
import Login
import OpenIDConnect
import Program
import WebAddress

/// The device flow's side of a ``FakeIssuer``: what it answers to each question is a list.
final class DeviceIssuer {
    enum Answer: Sendable {
        case tokens
        case error(String, status: Int = 400)
        case page(status: Int, retryAfter: String? = nil)
        case body(String, status: Int)
    }

    let issuer: FakeIssuer
    /// Answers to polls; the last one is given for ever.
    private var answers: [Answer]
    /// Members to set or, with nil, to leave out.
    var deviceChanges: [String: JSONValue?] = [:]
    /// In place of the device endpoint's whole answer.
    var deviceReply: TestServer.Reply?
    private(set) var deviceRequests: [FormFields] = []
    private(set) var polls: [(at: Double, form: FormFields)] = []

    static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    init(loop: EventLoop, _ answers: [Answer] = [.tokens]) throws {
        issuer = try FakeIssuer(loop: loop)
        self.answers = answers
        issuer.metadataChanges["device_authorization_endpoint"] = .string(issuer.url + "/oauth2/device?env=test")
        issuer.claimChanges["nonce"] = .some(nil)
        issuer.intercept = { [unowned self] request in
            switch request.path {
            case "/oauth2/device": authorize(request)
            case "/oauth2/token": poll(request)
            default: nil
            }
        }
    }

    private func authorize(_ request: TestServer.Request) -> TestServer.Reply? {
        deviceRequests.append(FormFields(parsing: request.body) ?? FormFields())
        if let deviceReply { return deviceReply }
        var body: [String: JSONValue?] = [
            "device_code": "device-1", "user_code": "WDJB-MJHT", "verification_uri": .string(issuer.url + "/device"),
            "verification_uri_complete": .string(issuer.url + "/device?user_code=WDJB-MJHT"), "expires_in": 600,
            "interval": 5,
        ]
        body.merge(deviceChanges) { $1 }
        let members = body.compactMap { name, value in value.map { JSONObject.Member(name: name, value: $0) } }
        let text = (try? JSONValue.object(JSONObject(members)).serialized()) ?? []
        return .json(String(decoding: text, as: UTF8.self))
    }

    private func poll(_ request: TestServer.Request) -> TestServer.Reply? {
        polls.append((Clock.monotonic(), FormFields(parsing: request.body) ?? FormFields()))
        let answer = answers.count > 1 ? answers.removeFirst() : answers.first
        switch answer {
        case .tokens, nil: return nil
        case .error(let code, let status): return .json("{\"error\":\"\(code)\"}", status: status)
        case .body(let body, let status): return .json(body, status: status)
        case .page(let status, let pause):
            var reply = TestServer.Reply(status: status, body: "<html>later</html>")
            reply.headers["Retry-After"] = pause
            return reply
        }
    }
}
