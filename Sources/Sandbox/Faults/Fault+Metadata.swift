import JSON

extension Fault {
    static let metadataRows: [Fault] = [
        Fault(
            "metadata-404", "answers 404",
            .instead(.metadata) { _ in SpoiltAnswers.html(status: 404) }),
        Fault(
            "metadata-500", "answers 500 without a body",
            .instead(.metadata) { _ in SpoiltAnswers.empty(500) }),
        Fault(
            "metadata-html", "answers 200 with a page instead of JSON",
            .instead(.metadata) { _ in SpoiltAnswers.html }),
        Fault(
            "metadata-redirect", "sends to the same machine under another name (302)",
            .instead(.metadata) { SpoiltAnswers.elsewhere($0, status: 302) }),
        Fault(
            "metadata-deep", "answers JSON of 500 levels",
            .instead(.metadata) { _ in SpoiltAnswers.deep }),
        Fault(
            "metadata-huge", "answers 10 MB",
            .instead(.metadata) { _ in SpoiltAnswers.huge }),
        Fault(
            "metadata-duplicate-keys", "names its issuer twice",
            .answer(.metadata) { response, strike in
                SpoiltAnswers.repeatFirstMember(&response, #""issuer":"\#(strike.issuer)""#)
            }),
        Fault(
            "metadata-issuer-slash", "its issuer has a slash at the end",
            .members(.metadata) { members, strike in members["issuer"] = .string(strike.issuer + "/") }),
        Fault(
            "metadata-issuer-other", "its issuer is another one",
            .members(.metadata) { members, _ in members["issuer"] = "https://other.example" }),
        Fault(
            "metadata-no-pkce", "lists only the PKCE method plain",
            .members(.metadata) { members, _ in members["code_challenge_methods_supported"] = ["plain"] }),
        Fault(
            "metadata-no-token-endpoint", "has no token endpoint",
            .members(.metadata) { members, _ in members["token_endpoint"] = nil }),
        Fault(
            "metadata-insecure-endpoint", "its token endpoint is http on another machine",
            .members(.metadata) { members, _ in members["token_endpoint"] = "http://issuer.example/oauth2/token" }),
        Fault(
            "metadata-no-offline-access", "does not list the scope offline_access",
            .members(.metadata) { members, _ in members["scopes_supported"] = ["openid", "profile", "email"] }),
        Fault(
            "metadata-minimal", "has no device, revocation, introspection or logout endpoint",
            .members(.metadata) { members, _ in
                for endpoint in [Endpoint.device, .revocation, .introspection, .logout] {
                    if let name = endpoint.metadataName { members[name] = nil }
                }
            }),
        Fault(
            "metadata-date", "its Date header is ahead by an hour, or by =SECONDS",
            .answer(.metadata) { response, strike in
                response.set("Date", HTTPDate.text(secondsFromNow: strike.number(or: 3600)))
            }),
        Fault(
            "metadata-other-algorithms", "lists ES256 alone, and tokens are still RS256",
            .members(.metadata) { members, _ in members["id_token_signing_alg_values_supported"] = ["ES256"] }),
    ]
}
