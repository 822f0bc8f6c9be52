import Program

extension Issuer {
    /// Who is signed in at the browser that sent the request.
    func session(of request: HTTPRequest) -> BrowserSession? {
        request.cookie(sessionCookie).flatMap { sessions[$0] }
    }

    /// Signs a person in at the browser that gets this response. The identifier is new each time, so that nobody can
    /// plant one.
    func startSession(_ person: Person, consented: [String], in response: inout HTTPResponse) {
        let id = Randomness.token()
        sessions[id] = BrowserSession(person: person, authenticatedAt: Clock.now(), consented: Set(consented))
        response.add("Set-Cookie", cookie(sessionCookie, id))
    }

    /// Signs out the browser that sent the request.
    func endSession(of request: HTTPRequest, in response: inout HTTPResponse) {
        if let id = request.cookie(sessionCookie) { sessions[id] = nil }
        response.add("Set-Cookie", cookie(sessionCookie, "") + "; Max-Age=0")
    }
}
