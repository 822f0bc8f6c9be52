import WebAddress

/// What a client asked the authorization endpoint for, checked (RFC 6749 section 4.1.1, OpenID Connect Core 3.1.2.1).
struct AuthorizationRequest {
    enum ResponseMode: String {
        case query
        case formPost = "form_post"
    }

    var clientID: String
    var redirectURI: String
    var state: String?
    var nonce: String?
    var scopes: [String]
    /// S256 (RFC 7636 section 4.2): the only method.
    var codeChallenge: String
    var responseMode: ResponseMode
    var prompts: Set<String>
    var maxAge: Int?
    var loginHint: String?
    var acrValues: [String]
    /// What the access token is for; empty: the issuer itself.
    var audience: [String]

    /// Checks what may be answered through the redirect URI, which has been checked before.
    init(fields: FormFields, redirectURI: String, supportedScopes: [String]) throws(OAuthError) {
        func words(_ name: String) -> [String] {
            (fields[name] ?? "").split(separator: " ").map(String.init)
        }
        clientID = fields["client_id"] ?? ""
        self.redirectURI = redirectURI
        state = fields["state"]
        nonce = fields["nonce"]
        loginHint = fields["login_hint"]
        acrValues = words("acr_values")
        audience = fields.fields.filter { ["audience", "resource"].contains($0.name) }.map(\.value)
        prompts = Set(words("prompt"))
        scopes = words("scope")

        guard fields["response_type"] == "code" else {
            throw OAuthError("unsupported_response_type", "only response_type=code is supported")
        }
        guard let mode = ResponseMode(rawValue: fields["response_mode"] ?? "query") else {
            throw .invalidRequest("response_mode must be query or form_post")
        }
        responseMode = mode
        guard let challenge = fields["code_challenge"] else {
            throw .invalidRequest("code_challenge is missing: PKCE is required")
        }
        guard fields["code_challenge_method"] == "S256" else {
            throw .invalidRequest("code_challenge_method must be S256")
        }
        guard challenge.utf8.count == 43 else { throw .invalidRequest("code_challenge is not 43 characters long") }
        codeChallenge = challenge
        if let unknown = scopes.first(where: { !supportedScopes.contains($0) }) {
            throw OAuthError("invalid_scope", "scope '\(unknown)' is not supported")
        }
        guard !scopes.isEmpty else { throw OAuthError("invalid_scope", "scope is missing") }
        if prompts.contains("none"), prompts.count > 1 { throw .invalidRequest("prompt=none stands alone") }
        if let text = fields["max_age"] {
            guard let seconds = Int(text), seconds >= 0 else { throw .invalidRequest("max_age is not a number") }
            maxAge = seconds
        }
    }

    /// Names that may stand more than once.
    static let repeatable: Set<String> = ["resource"]
}
