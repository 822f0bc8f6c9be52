import Program
import WebAddress

extension Issuer {
    /// The authorization endpoint: straight to an answer, or to the pages.
    func authorize(_ request: HTTPRequest) -> HTTPResponse {
        guard let fields = request.method == "POST" ? request.form : request.query else {
            return Pages.problem("The request cannot be read", "Its parameters are not form-urlencoded.", status: 400)
        }
        if let name = repeatedName(in: fields) {
            return Pages.problem(
                "The request is not clear", "The parameter \(name) was sent more than once.", status: 400)
        }
        guard fields["client_id"] == Self.clientID else {
            return Pages.problem(
                "Unknown application", "No application has the client id \(fields["client_id"] ?? "(none)").",
                status: 400)
        }
        guard let redirectURI = fields["redirect_uri"], redirects.allow(redirectURI) else {
            return Pages.problem(
                "The redirect URI is not registered",
                "Register exactly this one for the application: \(fields["redirect_uri"] ?? "(none was sent)")",
                status: 400)
        }
        do throws(OAuthError) {
            let authorization = try AuthorizationRequest(
                fields: fields, redirectURI: redirectURI, supportedScopes: Self.supportedScopes)
            if let error = faults.refusal() { throw error }
            return try decide(authorization, browser: request)
        } catch {
            let mode = AuthorizationRequest.ResponseMode(rawValue: fields["response_mode"] ?? "") ?? .query
            return refuse(error, redirectURI: redirectURI, state: fields["state"], mode: mode)
        }
    }

    private func repeatedName(in fields: FormFields) -> String? {
        var seen: Set<String> = []
        return fields.fields.map(\.name).first {
            !AuthorizationRequest.repeatable.contains($0) && !seen.insert($0).inserted
        }
    }

    /// What a session answers by itself, what `--auto` answers, and who has to see a page.
    private func decide(
        _ authorization: AuthorizationRequest, browser request: HTTPRequest
    ) throws(OAuthError) -> HTTPResponse {
        let isSilent = authorization.prompts.contains("none")
        let session = session(of: request).flatMap { isFresh($0, for: authorization) ? $0 : nil }
        if let session {
            let isConsented = session.consented.isSuperset(of: authorization.scopes)
            if isConsented, !authorization.prompts.contains("consent") {
                return grant(authorization, person: session.person, authenticatedAt: session.authenticatedAt)
            }
            if isSilent { throw OAuthError("consent_required", "the person has not allowed these scopes yet") }
        }
        if isSilent { throw OAuthError("login_required", "nobody is signed in at this browser") }
        if let address = options.autoUser, let person = Person(email: address) {
            var response = grant(authorization, person: person, authenticatedAt: Clock.now())
            startSession(person, consented: authorization.scopes, in: &response)
            return response
        }
        return startFlow(.authorization(authorization), session: session, browser: request)
    }

    /// Signed in recently enough for `max_age`, and not told to sign in again.
    private func isFresh(_ session: BrowserSession, for authorization: AuthorizationRequest) -> Bool {
        if !authorization.prompts.isDisjoint(with: ["login", "select_account"]) { return false }
        // max_age=0 means the same as prompt=login (OpenID Connect Core 3.1.2.1).
        return authorization.maxAge.map { $0 > 0 && Clock.now() - session.authenticatedAt <= $0 } ?? true
    }

    /// Sends a code to the client.
    func grant(_ authorization: AuthorizationRequest, person: Person, authenticatedAt: Int) -> HTTPResponse {
        sweep()
        let code = Randomness.token()
        codes[code] = AuthorizationCode(
            grant: Grant(
                person: person, clientID: authorization.clientID, scopes: authorization.scopes,
                audience: authorization.audience, nonce: authorization.nonce, acr: authorization.acrValues.first,
                authenticatedAt: authenticatedAt),
            redirectURI: authorization.redirectURI, codeChallenge: authorization.codeChallenge,
            expiresAt: Clock.now() + Self.codeLifetime)
        var fields = FormFields(["code": code])
        fields.append("state", authorization.state)
        fields.append("iss", url)
        return send(
            AuthorizationAnswer(
                redirectURI: authorization.redirectURI, fields: fields, mode: authorization.responseMode))
    }

    /// Sends an error to the client.
    func refuse(
        _ error: OAuthError, redirectURI: String, state: String?, mode: AuthorizationRequest.ResponseMode
    ) -> HTTPResponse {
        var fields = FormFields(["error": error.code])
        fields.append("error_description", error.description)
        fields.append("state", state)
        fields.append("iss", url)
        return send(AuthorizationAnswer(redirectURI: redirectURI, fields: fields, mode: mode))
    }

    private func send(_ answer: AuthorizationAnswer) -> HTTPResponse {
        var answer = answer
        faults.change(&answer)
        return switch answer.mode {
        case .query: .redirect(to: answer.location)
        case .formPost: Pages.formPost(answer)
        }
    }
}
