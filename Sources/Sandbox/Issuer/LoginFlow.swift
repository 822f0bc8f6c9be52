/// A person on their way through the pages: from an authorization request or a device's code to an answer.
struct LoginFlow {
    enum Purpose {
        case authorization(AuthorizationRequest)
        /// The device code, its scopes and audience.
        case device(code: String, scopes: [String])
    }

    enum Step: String {
        case identify
        case verify
        case consent
    }

    let purpose: Purpose
    /// The browser that the flow belongs to: its cookie.
    let browser: String
    /// In every form of the flow: another site cannot post one.
    let formToken = Randomness.token()
    let expiresAt: Int
    var step = Step.identify
    var person: Person?
    /// What the mail would bring.
    var code = ""
    var wrongCodes = 0
    /// What is wrong with the last thing typed.
    var remark: String?
    var typedEmail = ""

    init(purpose: Purpose, browser: String, expiresAt: Int) {
        self.purpose = purpose
        self.browser = browser
        self.expiresAt = expiresAt
        if case .authorization(let request) = purpose { typedEmail = request.loginHint ?? "" }
    }

    var scopes: [String] {
        switch purpose {
        case .authorization(let request): request.scopes
        case .device(_, let scopes): scopes
        }
    }
}

/// A browser that somebody is signed in at.
struct BrowserSession {
    var person: Person
    var authenticatedAt: Int
    /// Scopes that the person has allowed the client.
    var consented: Set<String> = []
}
