import JSON
import OpenIDConnect
import Program
import Sandbox
import Testing
import WebAddress

/// A client of the sandbox as a test writes one: every request by hand, cookies kept.
struct TestClient {
    /// RFC 7636 appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    static let scopes = "openid profile email offline_access"

    let sandbox: RunningSandbox
    private let client: LoopbackClient
    private var cookies: [String: String] = [:]

    init(_ sandbox: RunningSandbox) throws {
        self.sandbox = sandbox
        client = try LoopbackClient(timeout: 20)
    }

    /// The client's own address: the sandbox answers there, and no listener is needed.
    var redirectURI: String { sandbox.issuer + "/" }

    mutating func send(
        _ method: String, _ path: String, headers: [(name: String, value: String)] = [], form: FormFields? = nil
    ) throws -> LoopbackClient.Answer {
        var headers = headers
        if !cookies.isEmpty {
            headers.append(("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")))
        }
        let answer = try client.send(method, try sandbox.url(path), headers: headers, form: form)
        for header in answer.values("Set-Cookie") {
            let pair = header.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            cookies[String(pair[0])] = pair[1].isEmpty ? nil : String(pair[1])
        }
        return answer
    }

    /// The path and query of an authorization request; a value of nil leaves a parameter out.
    func authorization(_ changes: [String: String?] = [:], extra: String = "") -> String {
        var values: [String: String?] = [
            "response_type": "code", "client_id": "mojoauth-cli", "redirect_uri": redirectURI, "scope": Self.scopes,
            "state": "the-state", "nonce": "the-nonce", "code_challenge": Self.challenge,
            "code_challenge_method": "S256",
        ]
        for (name, value) in changes { values[name] = .some(value) }
        var fields = FormFields()
        for (name, value) in values { fields.append(name, value) }
        return "/oauth/authorize?" + fields.encoded + extra
    }

    /// The parameters of a redirect back to the client.
    func response(in answer: LoopbackClient.Answer) throws -> FormFields {
        let location = try #require(answer.values("Location").first)
        try #require(location.hasPrefix(redirectURI), "\(location)")
        return try #require(FormFields(parsing: WebURL(location)?.query ?? ""))
    }

    /// A code by way of `--auto` or of the session.
    mutating func code(_ changes: [String: String?] = [:]) throws -> String {
        try #require(try response(in: try send("GET", authorization(changes)))["code"])
    }

    mutating func token(_ form: FormFields) throws -> LoopbackClient.Answer {
        try send("POST", "/oauth2/token", form: form)
    }

    func redemption(of code: String) -> FormFields {
        FormFields([
            "grant_type": "authorization_code", "code": code, "client_id": "mojoauth-cli", "redirect_uri": redirectURI,
            "code_verifier": Self.verifier,
        ])
    }

    func refresh(with token: String) -> FormFields {
        FormFields(["grant_type": "refresh_token", "refresh_token": token, "client_id": "mojoauth-cli"])
    }

    mutating func logIn(_ changes: [String: String?] = [:]) throws -> JSONObject {
        try object(of: try token(redemption(of: try code(changes))))
    }

    func object(of answer: LoopbackClient.Answer) throws -> JSONObject {
        try #require(answer.status == 200, "\(answer.text)")
        return try #require(try JSONValue(parsing: answer.body).object)
    }

    /// `error` of an error answer.
    func error(of answer: LoopbackClient.Answer) -> String? {
        (try? JSONValue(parsing: answer.body))?.object?["error"]?.string
    }

    /// Part 0 or 1 of a JWT, unverified.
    static func part(_ index: Int, of token: String) throws -> JSONObject {
        let segments = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(segments.count > index)
        let bytes = try #require(Base64URL.decode(segments[index]))
        return try #require(try JSONValue(parsing: bytes).object)
    }
}
