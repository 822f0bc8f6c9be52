import JSON
import WebAddress

extension Issuer {
    /// The provider metadata (OpenID Connect Discovery 1.0 section 3, RFC 8414, RFC 9207).
    var metadata: JSONObject {
        var object = JSONObject()
        object["issuer"] = .string(url)
        for endpoint in Endpoint.allCases {
            guard let name = endpoint.metadataName else { continue }
            object[name] = .string(address(of: endpoint))
        }
        object["scopes_supported"] = Self.list(Self.supportedScopes)
        object["response_types_supported"] = ["code"]
        object["response_modes_supported"] = ["query", "form_post"]
        object["grant_types_supported"] = Self.list(["authorization_code", "refresh_token", Self.deviceGrantType])
        object["subject_types_supported"] = ["public"]
        object["id_token_signing_alg_values_supported"] = ["RS256"]
        object["token_endpoint_auth_methods_supported"] =
            clientSecret == nil ? ["none"] : ["client_secret_basic", "client_secret_post"]
        object["code_challenge_methods_supported"] = ["S256"]
        object["prompt_values_supported"] = ["none", "login", "consent", "select_account"]
        object["claims_supported"] = Self.list([
            "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "at_hash", "email", "email_verified",
            "name",
            "picture",
        ])
        object["authorization_response_iss_parameter_supported"] = true
        return object
    }

    /// An endpoint's URL, with the query that `--env-query` asks for.
    func address(of endpoint: Endpoint) -> String {
        url + endpoint.rawValue + (options.wantsEnvironmentQuery ? "?env=test" : "")
    }

    private static func list(_ words: [String]) -> JSONValue {
        .array(words.map { .string($0) })
    }
}
