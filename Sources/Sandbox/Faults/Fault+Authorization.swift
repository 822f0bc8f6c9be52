import WebAddress

extension Fault {
    static let authorizationRows: [Fault] = [
        Fault(
            "deny", "the person presses Deny",
            .refusal(OAuthError("access_denied", "the person denied the request"))),
        Fault(
            "authorization-server-error", "answers error=server_error",
            .refusal(OAuthError("server_error", "something broke"))),
        Fault(
            "authorization-unavailable", "answers error=temporarily_unavailable",
            .refusal(OAuthError("temporarily_unavailable", "come back later"))),
        Fault(
            "authorization-invalid-scope", "answers error=invalid_scope",
            .refusal(OAuthError("invalid_scope", "a scope is unknown"))),
        Fault(
            "interaction-required", "answers error=interaction_required",
            .refusal(OAuthError("interaction_required", "a person has to do something"))),
        Fault(
            "unauthorized-client", "answers error=unauthorized_client",
            .refusal(OAuthError("unauthorized_client", "the client may not do this"))),
        Fault(
            "wrong-state", "answers with another state",
            .redirect { answer, _ in answer.replace("state", Randomness.token()) }),
        Fault("no-state", "answers without state", .redirect { answer, _ in answer.replace("state", nil) }),
        Fault(
            "no-iss", "answers without iss, which the metadata promises",
            .redirect { answer, _ in answer.replace("iss", nil) }),
        Fault(
            "wrong-iss", "answers with the iss of another issuer",
            .redirect { answer, _ in answer.replace("iss", "https://other.example") }),
        Fault(
            "code-twice", "gives the parameter code twice",
            .redirect { answer, _ in answer.fields.append("code", Randomness.token()) }),
        Fault("no-code", "answers with neither code nor error", .redirect { answer, _ in answer.replace("code", nil) }),
        Fault(
            "unknown-code", "gives a code that the token endpoint does not know",
            .redirect { answer, _ in answer.replace("code", Randomness.token()) }),
        Fault(
            "form-post", "answers with a form whether asked or not", .redirect { answer, _ in answer.mode = .formPost }),
        Fault(
            "redirect-slash", "redirects to the redirect URI with a slash added",
            .redirect { answer, _ in answer.redirectURI += "/" }),
        Fault(
            "redirect-noise", "adds parameters that nobody knows",
            .redirect { answer, _ in
                answer.fields.append("session_state", "abc.def")
                answer.fields.append("x", "<script>")
            }),
    ]
}

extension AuthorizationAnswer {
    /// Gives a parameter another value, or takes it away.
    fileprivate mutating func replace(_ name: String, _ value: String?) {
        var replaced = FormFields()
        for field in fields.fields where field.name != name { replaced.append(field.name, field.value) }
        replaced.append(name, value)
        fields = replaced
    }
}
