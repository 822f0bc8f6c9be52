import Program
import WebAddress

extension Issuer {
    /// Leads a browser into the pages.
    func startFlow(
        _ purpose: LoginFlow.Purpose, session: BrowserSession?, browser request: HTTPRequest
    ) -> HTTPResponse {
        sweep()
        let known = request.cookie(browserCookie)
        let browser = known ?? Randomness.token()
        var flow = LoginFlow(purpose: purpose, browser: browser, expiresAt: Clock.now() + Self.flowLifetime)
        if let session {
            flow.person = session.person
            flow.step = .consent
        }
        let id = Randomness.token()
        flows[id] = flow
        var response = HTTPResponse.redirect(to: Self.flowPath(id))
        if known == nil { response.add("Set-Cookie", cookie(browserCookie, browser)) }
        return response
    }

    /// The identifier goes into the query, which no log holds.
    private static func flowPath(_ id: String) -> String { "/login?flow=\(id)" }

    /// The flow a request belongs to, if its browser is the one that began it.
    private func flow(of request: HTTPRequest) -> (id: String, flow: LoginFlow)? {
        guard let id = request.query?["flow"], let flow = flows[id], flow.expiresAt > Clock.now(),
            request.cookie(browserCookie) == flow.browser
        else { return nil }
        return (id, flow)
    }

    private var lostFlow: HTTPResponse {
        Pages.problem(
            "This sign-in has ended",
            "Go back to the application and start again. Cookies must be allowed for this page.",
            status: 400)
    }

    func showFlow(_ request: HTTPRequest) -> HTTPResponse {
        guard let (id, flow) = flow(of: request) else { return lostFlow }
        return Pages.page(of: flow, action: Self.flowPath(id))
    }

    /// Takes a form of the pages.
    func continueFlow(_ request: HTTPRequest) -> HTTPResponse {
        guard let (id, found) = flow(of: request) else { return lostFlow }
        var flow = found
        guard let form = request.form, form["form"] == flow.formToken else {
            return Pages.problem("This form is not from here", "Go back and try again.", status: 403)
        }
        let onward = HTTPResponse.redirect(to: Self.flowPath(id))
        // A form of an earlier step, sent again by the back button: show where the flow is.
        guard form["step"] == flow.step.rawValue else { return onward }
        flow.remark = nil
        switch flow.step {
        case .identify:
            flow.typedEmail = form["email"] ?? ""
            if let person = Person(email: flow.typedEmail) {
                flow.person = person
                flow.code = Randomness.digits()
                flow.step = .verify
            } else {
                flow.remark = "Enter an e-mail address, such as alice@example.com."
            }
        case .verify:
            return verify(form, id: id, flow: flow, browser: request)
        case .consent:
            flows[id] = nil
            return finish(flow, isAllowed: form["decision"] == "allow", browser: request)
        }
        flows[id] = flow
        return onward
    }

    private func verify(
        _ form: FormFields, id: String, flow: LoginFlow, browser request: HTTPRequest
    ) -> HTTPResponse {
        var flow = flow
        var response = HTTPResponse.redirect(to: Self.flowPath(id))
        let typed = (form["code"] ?? "").filter { !$0.isWhitespace }
        if form["decision"] == "back" {
            flow.step = .identify
        } else if typed == flow.code, let person = flow.person {
            flow.step = .consent
            startSession(person, consented: [], in: &response)
        } else {
            flow.wrongCodes += 1
            flow.remark = "That code is not right."
            if flow.wrongCodes % 5 == 0 {
                flow.code = Randomness.digits()
                flow.remark = "That code was wrong too often. Here is a new one."
            }
        }
        flows[id] = flow
        return response
    }

    /// The person has decided.
    private func finish(_ flow: LoginFlow, isAllowed: Bool, browser request: HTTPRequest) -> HTTPResponse {
        guard let person = flow.person else { return lostFlow }
        let authenticatedAt = session(of: request)?.authenticatedAt ?? Clock.now()
        if isAllowed, let id = request.cookie(sessionCookie) { sessions[id]?.consented.formUnion(flow.scopes) }
        switch flow.purpose {
        case .authorization(let authorization):
            if isAllowed { return grant(authorization, person: person, authenticatedAt: authenticatedAt) }
            return refuse(
                OAuthError("access_denied", "the person denied the request"), redirectURI: authorization.redirectURI,
                state: authorization.state, mode: authorization.responseMode)
        case .device(let code, _):
            answerDevice(code, person: isAllowed ? person : nil, authenticatedAt: authenticatedAt)
            return isAllowed
                ? Pages.notice("Device connected", "You can close this page and go back to the device.")
                : Pages.notice("Device refused", "The device gets nothing. You can close this page.")
        }
    }
}
