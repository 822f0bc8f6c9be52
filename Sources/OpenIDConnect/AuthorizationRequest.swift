import Sensitive
import WebAddress

/// One authorization request of the code flow (OpenID Connect Core section 3.1.2.1) and what its answer is held against.
package struct AuthorizationRequest: Sendable {
    package let metadata: ProviderMetadata
    package let clientID: String
    package let redirectURI: String
    package let scopes: [String]
    package let state: Secret
    package let nonce: Secret
    package let verifier: CodeVerifier
    /// Asked of the issuer beyond the protocol; none may replace a protocol parameter.
    package let parameters: FormFields
    /// Tells the issuer whose session is meant: to be sent when it must ask nobody.
    package let idTokenHint: Secret?

    /// What a profile or a command line may not set: these are ours.
    package static let protocolParameters: Set<String> = [
        "response_type", "response_mode", "client_id", "client_secret", "client_assertion", "client_assertion_type",
        "redirect_uri", "scope", "state", "nonce", "code_challenge", "code_challenge_method", "code_verifier", "code",
        "grant_type", "refresh_token", "request", "request_uri", "registration", "id_token_hint", "iss",
        "error", "dpop_jkt",
    ]

    /// - Parameter parameters: those named like a protocol parameter are left out.
    package init(
        metadata: ProviderMetadata, clientID: String, redirectURI: String, scopes: [String], parameters: FormFields,
        idTokenHint: Secret? = nil, ceremony: Ceremony
    ) {
        self.metadata = metadata
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        state = ceremony.token()
        nonce = ceremony.token()
        verifier = CodeVerifier(ceremony)
        var free = FormFields()
        for field in parameters.fields where !Self.protocolParameters.contains(field.name) {
            free.append(field.name, field.value)
        }
        self.parameters = free
        self.idTokenHint = idTokenHint
    }

    /// The address for a person to open. It carries state and nonce: not for a log, nor for an argument list.
    package var url: WebURL { metadata.authorizationEndpoint.adding(query: fields) }

    /// The same for this machine's browser alone: the hint, which a terminal must not show, goes with it.
    package var browserURL: WebURL {
        var fields = fields
        fields.append("id_token_hint", idTokenHint?.text)
        return metadata.authorizationEndpoint.adding(query: fields)
    }

    private var fields: FormFields {
        var fields = FormFields([
            "response_type": "code", "client_id": clientID, "redirect_uri": redirectURI,
            "scope": scopes.joined(separator: " "),
        ])
        fields.append("state", state.text)
        fields.append("nonce", nonce.text)
        fields.append("code_challenge", verifier.challenge)
        fields.append("code_challenge_method", "S256")
        for field in parameters.fields { fields.append(field.name, field.value) }
        return fields
    }
}
