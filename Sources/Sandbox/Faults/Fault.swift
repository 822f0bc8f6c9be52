import JSON

/// One way in which an issuer can go wrong: a row of the table.
package struct Fault: Sendable {
    /// As the command line spells it: `token-500`.
    package let name: String
    /// What it does, in one line.
    package let summary: String
    let effect: FaultEffect

    init(_ name: String, _ summary: String, _ effect: FaultEffect) {
        self.name = name
        self.summary = summary
        self.effect = effect
    }

    /// All of them, in the order of a login.
    package static let table: [Fault] =
        metadataRows + authorizationRows + tokenRows + tokenAnswerRows + claimRows + signatureRows + laterRows

    /// The row of this name.
    package static func find(_ name: String) -> Fault? {
        table.first { $0.name == name }
    }

    /// The line that `mojoauth-sandbox faults` prints.
    package var line: String {
        let padding = String(repeating: " ", count: max(1, 32 - name.count))
        return name + padding + effect.endpoint.title + ": " + summary
    }
}

/// What a fault does and where it takes hold.
enum FaultEffect: Sendable {
    /// Answers for the endpoint; the issuer does nothing.
    case instead(Endpoint, @Sendable (FaultStrike) -> HTTPResponse)
    /// The issuer has done its work; its answer is spoilt on the way.
    case answer(Endpoint, @Sendable (inout HTTPResponse, FaultStrike) -> Void)
    /// Changes members of the JSON that the endpoint answers.
    case members(Endpoint, @Sendable (inout JSONObject, FaultStrike) -> Void)
    /// The authorization request is refused, through the redirect.
    case refusal(OAuthError)
    /// Changes the authorization response.
    case redirect(@Sendable (inout AuthorizationAnswer, FaultStrike) -> Void)
    /// Changes the claims of the ID token.
    case claims(@Sendable (inout JSONObject, FaultStrike) -> Void)
    /// Changes how the ID token is put together and signed.
    case signing(@Sendable (inout IDTokenDraft, FaultStrike) -> Void)
    /// The git server turns down credentials that are good.
    case gitRefusal

    /// Whose requests `@N` counts.
    var endpoint: Endpoint {
        switch self {
        case .instead(let endpoint, _), .answer(let endpoint, _), .members(let endpoint, _): endpoint
        case .refusal, .redirect: .authorization
        case .claims, .signing: .token
        case .gitRefusal: .git
        }
    }
}

/// What a fault is told when it strikes.
struct FaultStrike {
    /// What stood behind `=`.
    var value: String?
    /// 1 the first time since it was turned on.
    var count: Int
    var issuer: String
    /// A token request with grant `refresh_token`.
    var isRefresh: Bool

    /// The value as a number, or what is usual.
    func number(or usual: Int) -> Int {
        value.flatMap { Int($0) } ?? usual
    }
}
