import JSON
import OpenIDConnect
import Sensitive
import Testing
import WebAddress

/// What the tables share.
enum Fixtures {
    static let issuer = "https://acme.example"
    static let clientID = "mojoauth-cli"
    static let now: NumericDate = 1_700_000_000

    struct NoObject: Error {}

    static func object(_ text: String) throws -> JSONObject {
        guard let object = try JSONValue(parsing: Array(text.utf8)).object else {
            throw NoObject()
        }
        return object
    }

    static func url(_ text: String) throws -> WebURL {
        try #require(WebURL(text))
    }

    /// An unsigned token with this payload.
    static func jwt(_ payload: String) -> String {
        "\(Base64URL.encode(#"{"alg":"RS256"}"#.utf8)).\(Base64URL.encode(payload.utf8)).c2ln"
    }

    static func metadata(_ extra: String = "", issuer: String = issuer) throws -> ProviderMetadata {
        try ProviderMetadata(
            try object(
                """
                {"issuer":"\(issuer)","authorization_endpoint":"https://acme.example/oauth/authorize?env=test",
                "token_endpoint":"https://acme.example/oauth2/token?env=test",
                "jwks_uri":"https://acme.example/.well-known/jwks.json?env=test"\(extra)}
                """), issuer: issuer, overrides: [:])
    }

    static func response(
        _ token: String = "access", at now: NumericDate = now, lifetime: Int = 3600, extra: String = ""
    ) throws -> TokenResponse {
        try TokenResponse(
            try object(#"{"access_token":"\#(token)","token_type":"Bearer","expires_in":\#(lifetime)\#(extra)}"#),
            receivedAt: now)
    }

    /// A login with all three tokens, an hour long.
    static func state(lifetime: Int = 3600) throws -> AuthState {
        let idToken = jwt(#"{"iss":"https://acme.example","sub":"alice","name":"Alice"}"#)
        return AuthState(
            issuer: issuer, clientID: clientID, redirectURI: "http://127.0.0.1:8484/callback",
            tokenEndpoint: "https://acme.example/oauth2/token", requestedScope: "openid profile",
            response: try response(
                lifetime: lifetime, extra: #","refresh_token":"refresh","id_token":"\#(idToken)""#))
    }
}
