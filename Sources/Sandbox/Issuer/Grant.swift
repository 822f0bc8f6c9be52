/// What a person allowed the client to have: the root of a code, of tokens, of a family of refresh tokens.
struct Grant {
    let id: String
    var person: Person
    var clientID: String
    var scopes: [String]
    var audience: [String]
    var nonce: String?
    var acr: String?
    /// When the person last showed who they are, in seconds since the epoch.
    var authenticatedAt: Int

    init(
        person: Person, clientID: String, scopes: [String], audience: [String], nonce: String? = nil,
        acr: String? = nil,
        authenticatedAt: Int
    ) {
        id = Randomness.token()
        self.person = person
        self.clientID = clientID
        self.scopes = scopes
        self.audience = audience
        self.nonce = nonce
        self.acr = acr
        self.authenticatedAt = authenticatedAt
    }
}

/// A code that waits for its token request.
struct AuthorizationCode {
    var grant: Grant
    var redirectURI: String
    var codeChallenge: String
    var expiresAt: Int
    var isUsed = false
}
