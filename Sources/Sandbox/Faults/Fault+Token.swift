import CGLib
import JSON
import Program

extension Fault {
    /// The token endpoint answers something else, and does nothing.
    static let tokenRows: [Fault] = [
        Fault("token-500", "answers 500 without a body", .instead(.token) { _ in SpoiltAnswers.empty(500) }),
        Fault("token-html-502", "answers 502 with a page", .instead(.token) { _ in SpoiltAnswers.html(status: 502) }),
        Fault("token-html-200", "answers 200 with a page", .instead(.token) { _ in SpoiltAnswers.html }),
        Fault("token-429", "answers 429 with Retry-After (=SECONDS)", .instead(.token) { SpoiltAnswers.tooMany($0) }),
        Fault(
            "temporarily-unavailable", "answers 400 temporarily_unavailable",
            .instead(.token) { _ in OAuthError("temporarily_unavailable", "come back later").response }),
        Fault(
            "token-slow-down", "answers 400 slow_down",
            .instead(.token) { _ in OAuthError("slow_down").response }),
        Fault(
            "invalid-grant", "answers 400 invalid_grant",
            .instead(.token) { _ in OAuthError.invalidGrant("the grant is not good any more").response }),
        Fault(
            "invalid-client", "answers 401 invalid_client",
            .instead(.token) { _ in OAuthError("invalid_client", "unknown client").response }),
        Fault(
            "token-unauthorized-client", "answers 400 unauthorized_client",
            .instead(.token) { _ in OAuthError("unauthorized_client").response }),
        Fault(
            "token-invalid-scope", "answers 400 invalid_scope",
            .instead(.token) { _ in OAuthError("invalid_scope").response }),
        Fault(
            "token-unknown-error", "answers 400 with an error that no standard knows",
            .instead(.token) { _ in OAuthError("policy_violation", "not on a Sunday").response }),
        Fault("token-empty-400", "answers 400 without a body", .instead(.token) { _ in SpoiltAnswers.empty(400) }),
        Fault("token-empty-401", "answers 401 without a body", .instead(.token) { _ in SpoiltAnswers.empty(401) }),
        Fault(
            "mojoauth-error", "answers 400 in MojoAuth's older shape: code, message, description",
            .instead(.token) { _ in
                SpoiltAnswers.json(
                    #"{"code":"ERR_INVALID_TOKEN","message":"Invalid token","description":"The token is not valid"}"#,
                    status: 400)
            }),
        Fault(
            "token-redirect", "sends to the same machine under another name (307)",
            .instead(.token) { SpoiltAnswers.elsewhere($0, status: 307) }),
        Fault("token-deep", "answers JSON of 500 levels", .instead(.token) { _ in SpoiltAnswers.deep }),
        Fault("token-huge", "answers 10 MB", .instead(.token) { _ in SpoiltAnswers.huge }),
        Fault("token-list", "answers a JSON list", .instead(.token) { _ in SpoiltAnswers.json("[]") }),
        Fault(
            "drop-connection", "ends the connection without an answer, nothing done",
            .instead(.token) { _ in SpoiltAnswers.dropped() }),
    ]

    /// The token endpoint does its work, and its answer is not as it should be.
    static let tokenAnswerRows: [Fault] = [
        Fault(
            "slow-token", "answers after a while (=SECONDS, 2)",
            .answer(.token) { response, strike in
                response.delay = max(0, strike.value.flatMap { Double($0) } ?? 2)
            }),
        Fault(
            "drop-after-rotation", "does its work, then ends the connection without an answer",
            .answer(.token) { response, _ in response.delivery = .dropped }),
        Fault(
            "token-truncated", "does its work, then ends the connection half-way through the answer",
            .answer(.token) { response, _ in response.delivery = .truncated }),
        Fault(
            "token-duplicate-keys", "names the access token twice",
            .answer(.token) { response, _ in
                SpoiltAnswers.repeatFirstMember(&response, #""access_token":"something-else""#)
            }),
        Fault(
            "token-bad-utf8", "has a byte that is not UTF-8",
            .answer(.token) { response, _ in
                SpoiltAnswers.repeatFirstMember(&response, #""note":"?""#)
                if let index = response.body.firstIndex(of: UInt8(ascii: "?")) { response.body[index] = 0xFF }
            }),
        Fault(
            "token-plain-type", "calls its JSON text/plain",
            .answer(.token) { response, _ in response.set("Content-Type", "text/plain") }),
        member("no-access-token", "without an access token", "access_token", nil),
        member("no-refresh-token", "without a refresh token", "refresh_token", nil),
        member("no-id-token", "without an ID token", "id_token", nil),
        Fault(
            "no-id-token-on-refresh", "a refresh brings no ID token",
            .members(.token) { members, strike in if strike.isRefresh { members["id_token"] = nil } }),
        member("empty-refresh-token", "an empty refresh token", "refresh_token", ""),
        member("number-as-token", "an access token that is a number", "access_token", 7),
        member("id-token-garbage", "an ID token that is none", "id_token", "not.a.token"),
        Fault(
            "expires-in-string", "expires_in is a numeric string",
            .members(.token) { members, _ in
                if let seconds = members["expires_in"]?.integer { members["expires_in"] = .string(String(seconds)) }
            }),
        member("expires-in-date", "expires_in is a time of RFC 3339, a year ahead", "expires_in", .string(aYearAhead)),
        member("expires-in-absent", "without expires_in", "expires_in", nil),
        member("expires-in-negative", "expires_in is negative", "expires_in", -5),
        member("expires-in-zero", "expires_in is zero", "expires_in", 0),
        member("expires-in-huge", "expires_in is beyond every calendar", "expires_in", 9_000_000_000_000_000),
        member("expires-in-word", "expires_in is a word", "expires_in", "soon"),
        member("token-type-lower", "token_type is bearer in small letters", "token_type", "bearer"),
        member("token-type-dpop", "token_type is DPoP", "token_type", "DPoP"),
        member("token-type-absent", "without token_type", "token_type", nil),
        member("narrower-scope", "grants openid alone", "scope", "openid"),
        member("no-scope", "does not say which scope it grants", "scope", nil),
    ]

    /// From the start of this program.
    private static let aYearAhead: String = {
        let time = g_date_time_new_from_unix_utc(gint64(Clock.now() + 365 * 86400))
        defer { g_date_time_unref(time) }
        let text = g_date_time_format_iso8601(time)
        defer { g_free(text) }
        return text.map { String(cString: $0) } ?? ""
    }()

    private static func member(_ name: String, _ summary: String, _ member: String, _ value: JSONValue?) -> Fault {
        Fault(name, summary, .members(.token) { members, _ in members[member] = value })
    }
}
