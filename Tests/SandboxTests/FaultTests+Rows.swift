import Foundation
import JOSE
import JSON
import Program
import Sandbox
import WebAddress

extension FaultTests {
    static let rows: [Row] =
        metadataRows + authorizationRows + tokenRows + tokenMemberRows + claimRows + signatureRows + laterRows

    private static func metadata(_ transcript: Transcript, _ name: String) -> JSONValue? {
        Transcript.object(transcript.metadata)[name]
    }

    private static let metadataRows: [Row] = [
        Row("metadata-404") { $0.metadata?.status == 404 },
        Row("metadata-500") { $0.metadata?.status == 500 && $0.metadata?.body.isEmpty == true },
        Row("metadata-html") { $0.metadata?.status == 200 && $0.metadata?.text.hasPrefix("<!DOCTYPE") == true },
        Row("metadata-redirect") {
            $0.metadata?.status == 302 && $0.metadata?.values("Location").first?.hasPrefix("http://localhost:") == true
        },
        Row("metadata-deep") { $0.metadata?.text.contains("[[[[") == true },
        Row("metadata-huge") { ($0.metadata?.body.count ?? 0) > 10_000_000 },
        Row("metadata-duplicate-keys") { refusesDuplicate($0.metadata?.body) },
        Row("metadata-issuer-slash") { metadata($0, "issuer")?.string == $0.issuer + "/" },
        Row("metadata-issuer-other") { metadata($0, "issuer") == "https://other.example" },
        Row("metadata-no-pkce") { metadata($0, "code_challenge_methods_supported") == ["plain"] },
        Row("metadata-no-token-endpoint") { metadata($0, "token_endpoint") == nil && metadata($0, "issuer") != nil },
        Row("metadata-insecure-endpoint") { metadata($0, "token_endpoint") == "http://issuer.example/oauth2/token" },
        Row("metadata-no-offline-access") { metadata($0, "scopes_supported") == ["openid", "profile", "email"] },
        Row("metadata-minimal") { metadata($0, "revocation_endpoint") == nil && metadata($0, "issuer") != nil },
        Row("metadata-date") { isAnHourAhead($0.metadata?.values("Date") ?? []) },
        Row("metadata-other-algorithms") { metadata($0, "id_token_signing_alg_values_supported") == ["ES256"] },
    ]

    private static func isAnHourAhead(_ dates: [String]) -> Bool {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        format.timeZone = TimeZone(secondsFromGMT: 0)
        guard dates.count == 1, let date = format.date(from: dates[0]) else { return false }
        return (3540...3600).contains(date.timeIntervalSinceNow)
    }

    private static func refusesDuplicate(_ body: [UInt8]?) -> Bool {
        do throws(JSONError) {
            _ = try JSONValue(parsing: body ?? [])
            return false
        } catch {
            return error.reason == .duplicateName
        }
    }

    private static func error(_ name: String, _ code: String) -> Row {
        Row(name) { $0.response["error"] == code && $0.response["state"] == "the-state" && $0.response["code"] == nil }
    }

    private static let authorizationRows: [Row] = [
        error("deny", "access_denied"),
        error("authorization-server-error", "server_error"),
        error("authorization-unavailable", "temporarily_unavailable"),
        error("authorization-invalid-scope", "invalid_scope"),
        error("interaction-required", "interaction_required"),
        error("unauthorized-client", "unauthorized_client"),
        Row("wrong-state") { $0.response["state"] != nil && $0.response["state"] != "the-state" },
        Row("no-state") { $0.response["code"] != nil && $0.response["state"] == nil },
        Row("no-iss") { $0.response["code"] != nil && $0.response["iss"] == nil },
        Row("wrong-iss") { $0.response["iss"] == "https://other.example" },
        Row("code-twice") { $0.response.repeatedName == "code" },
        Row("no-code") { $0.response["state"] != nil && $0.response["code"] == nil && $0.response["error"] == nil },
        Row("unknown-code") { $0.response["code"] != nil && Transcript.object($0.token)["error"] == "invalid_grant" },
        Row("form-post") { $0.authorization?.status == 200 && $0.authorization?.text.contains("the-state") == true },
        Row("redirect-slash") { $0.authorization?.values("Location").first?.hasPrefix($0.issuer + "//?") == true },
        Row("redirect-noise") { $0.response["session_state"] == "abc.def" && $0.response["x"] == "<script>" },
    ]

    private static func token(_ name: String, _ status: Int, error: JSONValue? = nil) -> Row {
        Row(name) { $0.token?.status == status && Transcript.object($0.token)["error"] == error }
    }

    private static let tokenRows: [Row] = [
        token("token-500", 500),
        Row("token-html-502") { $0.token?.status == 502 && $0.token?.text.hasPrefix("<!DOCTYPE") == true },
        Row("token-html-200") { $0.token?.status == 200 && $0.token?.text.hasPrefix("<!DOCTYPE") == true },
        Row("token-429", value: "7") { $0.token?.status == 429 && $0.token?.values("Retry-After") == ["7"] },
        token("temporarily-unavailable", 400, error: "temporarily_unavailable"),
        token("token-slow-down", 400, error: "slow_down"),
        token("invalid-grant", 400, error: "invalid_grant"),
        token("invalid-client", 401, error: "invalid_client"),
        token("token-unauthorized-client", 400, error: "unauthorized_client"),
        token("token-invalid-scope", 400, error: "invalid_scope"),
        token("token-unknown-error", 400, error: "policy_violation"),
        token("token-empty-400", 400),
        token("token-empty-401", 401),
        Row("mojoauth-error") { Transcript.object($0.token)["code"] == "ERR_INVALID_TOKEN" && $0.token?.status == 400 },
        Row("token-redirect") {
            $0.token?.status == 307 && $0.token?.values("Location").first?.hasSuffix("/sandbox/elsewhere") == true
        },
        Row("token-deep") { $0.token?.status == 200 && $0.token?.text.contains("[[[[") == true },
        Row("token-huge") { ($0.token?.body.count ?? 0) > 10_000_000 },
        Row("token-list") { $0.token?.status == 200 && $0.token?.text == "[]" },
        Row("drop-connection") { $0.token == nil && $0.refresh == nil },
        Row("slow-token", value: "0.3") { $0.token?.status == 200 && $0.tokenSeconds >= 0.3 },
        Row("drop-after-rotation") { $0.token == nil && $0.refresh == nil },
        Row("token-truncated") { $0.token == nil && $0.refresh == nil },
        Row("token-duplicate-keys") { $0.token?.status == 200 && refusesDuplicate($0.token?.body) },
        Row("token-bad-utf8") { $0.token?.status == 200 && $0.token?.body.contains(0xFF) == true },
        Row("token-plain-type") { $0.token?.values("Content-Type") == ["text/plain"] && !$0.idToken.isEmpty },
        token("device-denied", 400, error: "access_denied"),
        token("device-expired", 400, error: "expired_token"),
    ]

    /// A member of the token response has this value; nil: it is not there.
    private static func member(_ name: String, _ member: String, _ value: JSONValue?) -> Row {
        Row(name) { $0.token?.status == 200 && Transcript.object($0.token)[member] == value }
    }

    private static let tokenMemberRows: [Row] = [
        member("no-access-token", "access_token", nil),
        member("no-refresh-token", "refresh_token", nil),
        member("no-id-token", "id_token", nil),
        Row("no-id-token-on-refresh") {
            !$0.idToken.isEmpty && $0.refresh?.status == 200 && Transcript.object($0.refresh)["id_token"] == nil
        },
        member("empty-refresh-token", "refresh_token", ""),
        member("number-as-token", "access_token", 7),
        member("id-token-garbage", "id_token", "not.a.token"),
        member("expires-in-string", "expires_in", "300"),
        Row("expires-in-date") {
            let text = Transcript.object($0.token)["expires_in"]?.string ?? ""
            return text.hasPrefix("20") && text.contains("T") && text.hasSuffix("Z")
        },
        member("expires-in-absent", "expires_in", nil),
        member("expires-in-negative", "expires_in", -5),
        member("expires-in-zero", "expires_in", 0),
        member("expires-in-huge", "expires_in", 9_000_000_000_000_000),
        member("expires-in-word", "expires_in", "soon"),
        member("token-type-lower", "token_type", "bearer"),
        member("token-type-dpop", "token_type", "DPoP"),
        member("token-type-absent", "token_type", nil),
        member("narrower-scope", "scope", "openid"),
        member("no-scope", "scope", nil),
    ]

    /// A claim of a well signed ID token has this value; nil: it is not there.
    private static func claim(_ name: String, _ claim: String, _ value: JSONValue?) -> Row {
        Row(name) { $0.refusal == nil && $0.claims[claim] == value }
    }

    /// A claim of a well signed ID token lies so many seconds from now, give or take ten.
    private static func time(_ name: String, _ claim: String, _ seconds: Int, value: String? = nil) -> Row {
        Row(name, value: value) { transcript in
            guard transcript.refusal == nil, let time = transcript.claims[claim]?.number else { return false }
            return abs(time - Double(Clock.now() + seconds)) < 10
        }
    }

    private static let claimRows: [Row] = [
        Row("wrong-nonce") { $0.refusal == nil && $0.claims["nonce"] != nil && $0.claims["nonce"] != "the-nonce" },
        claim("missing-nonce", "nonce", nil),
        claim("wrong-issuer", "iss", "https://other.example"),
        Row("issuer-slash") { $0.refusal == nil && $0.claims["iss"]?.string == $0.issuer + "/" },
        claim("wrong-audience", "aud", "other-client"),
        claim("empty-audience", "aud", []),
        Row("several-audiences") { $0.claims["aud"]?.array?.count == 2 && $0.claims["azp"] == "mojoauth-cli" },
        Row("missing-azp") { $0.claims["aud"]?.array?.count == 2 && $0.claims["azp"] == nil },
        claim("wrong-azp", "azp", "other-client"),
        time("expired-id-token", "exp", -90, value: "90"),
        claim("missing-exp", "exp", nil),
        claim("missing-iat", "iat", nil),
        time("iat-ahead", "iat", 3600),
        time("iat-behind", "iat", -86400),
        time("nbf-ahead", "nbf", 3600),
        claim("exp-word", "exp", "tomorrow"),
        claim("missing-subject", "sub", nil),
        claim("empty-subject", "sub", ""),
        Row("changed-subject") {
            $0.refreshedClaims["sub"] == "user-somebody-else" && $0.claims["sub"] != "user-somebody-else"
        },
        Row("changed-issuer") {
            $0.refreshedClaims["iss"] == "https://other.example" && $0.claims["iss"]?.string == $0.issuer
        },
        claim("wrong-at-hash", "at_hash", "AAAAAAAAAAAAAAAAAAAAAA"),
        claim("missing-at-hash", "at_hash", nil),
        claim("missing-auth-time", "auth_time", nil),
        time("auth-time-old", "auth_time", -7 * 86400),
        Row("auth-time-float") { if case .real? = $0.claims["auth_time"] { true } else { false } },
        claim("wrong-acr", "acr", "none-of-these"),
        Row("only-subject") { $0.claims["sub"] != nil && $0.claims["email"] == nil && $0.claims["name"] == nil },
        Row("odd-name") { $0.claims["name"]?.string?.contains("\u{202E}") == true },
    ]

    private static let signatureRows: [Row] = [
        Row("bad-signature") { $0.refusal == .signatureInvalid },
        Row("stranger-key") { $0.refusal == .signatureInvalid },
        Row("unknown-kid") { $0.refusal == .unknownKey("nobody-knows-me") },
        // The transcript fetches the key set after the token, so the new key is there.
        Row("rotated-keys") { $0.refusal == nil && $0.header["kid"] != $0.keyBefore && $0.header["kid"] != nil },
        Row("no-kid") { $0.refusal == nil && $0.header["kid"] == nil && $0.header["alg"] == "RS256" },
        Row("alg-none") { $0.refusal == .algorithmNotAllowed("none") },
        Row("alg-none-mixed") { $0.refusal == .algorithmNotAllowed("nOnE") },
        Row("alg-hs256") { $0.refusal == .algorithmNotAllowed("HS256") },
        Row("alg-rs512") { if case .keyUnfit = $0.refusal { true } else { false } },
        Row("alg-twice") { if case .malformed = $0.refusal { $0.idToken.count > 100 } else { false } },
        Row("crit") { $0.refusal == .criticalExtension(["exp-policy"]) },
        Row("b64-false") { $0.refusal == .unsupportedHeader("b64") },
        Row("at-jwt-type") { $0.refusal == .wrongType("at+jwt") },
        Row("logout-jwt-type") { $0.refusal == .wrongType("logout+jwt") },
        Row("no-type") { $0.refusal == nil && $0.header["typ"] == nil && $0.header["alg"] == "RS256" },
        Row("own-key") { $0.refusal == nil && $0.header["jku"] != nil && $0.header["jwk"] != nil },
        Row("padded") { $0.idToken.hasSuffix("==") && $0.refusal != nil },
        Row("four-segments") { $0.idToken.hasSuffix(".AAAA") && $0.refusal != nil },
        // Well signed: only who parses the claims strictly notices.
        Row("claims-twice") { $0.refusal == nil && !$0.idToken.isEmpty && $0.claims.isEmpty },
    ]

    private static let laterRows: [Row] = [
        Row("keys-500") { $0.keys?.status == 500 },
        Row("keys-html") { $0.keys?.status == 200 && $0.keys?.text.hasPrefix("<!DOCTYPE") == true },
        Row("keys-empty") { if case .unknownKey = $0.refusal { $0.keys?.text == #"{"keys":[]}"# } else { false } },
        Row("keys-huge") { ($0.keys?.body.count ?? 0) > 10_000_000 },
        Row("keys-redirect") { $0.keys?.status == 302 },
        Row("keys-foreign") { $0.refusal == nil && Transcript.object($0.keys)["keys"]?.array?.count == 4 },
        Row("keys-for-encryption") { if case .keyUnfit = $0.refusal { true } else { false } },
        Row("userinfo-401") { $0.userinfo?.status == 401 },
        Row("userinfo-500") { $0.userinfo?.status == 500 },
        Row("userinfo-other-subject") { Transcript.object($0.userinfo)["sub"] == "user-somebody-else" },
        Row("userinfo-no-subject") { $0.userinfo?.status == 200 && Transcript.object($0.userinfo)["sub"] == nil },
        Row("revocation-503") { $0.revocation?.status == 503 },
        Row("revocation-401") { $0.revocation?.status == 401 },
        Row("revocation-unsupported") { Transcript.object($0.revocation)["error"] == "unsupported_token_type" },
        Row("device-no-complete-uri") {
            $0.device?.status == 200 && Transcript.object($0.device)["verification_uri_complete"] == nil
        },
        Row("device-no-interval") { $0.device?.status == 200 && Transcript.object($0.device)["interval"] == nil },
        Row("device-500") { $0.device?.status == 500 },
        Row("logout-500") { $0.logout?.status == 500 },
    ]
}
