import JSON

extension Fault {
    /// Everything behind the token endpoint.
    static let laterRows: [Fault] = [
        Fault("keys-500", "answers 500", .instead(.keys) { _ in SpoiltAnswers.empty(500) }),
        Fault("keys-html", "answers 200 with a page", .instead(.keys) { _ in SpoiltAnswers.html }),
        Fault("keys-empty", "serves no key", .instead(.keys) { _ in SpoiltAnswers.json(#"{"keys":[]}"#) }),
        Fault("keys-huge", "answers 10 MB", .instead(.keys) { _ in SpoiltAnswers.huge }),
        Fault(
            "keys-redirect", "sends to the same machine under another name (302)",
            .instead(.keys) { SpoiltAnswers.elsewhere($0, status: 302) }),
        Fault(
            "keys-foreign", "serves keys of other kinds beside the good one",
            .members(.keys) { members, _ in
                let foreign: [JSONValue] = [
                    ["kty": "OKP", "crv": "Ed25519", "kid": "ed", "x": "AAAA"], ["kty": "oct", "k": "AAAA"], [:],
                ]
                members["keys"] = .array(foreign + (members["keys"]?.array ?? []))
            }),
        Fault(
            "keys-for-encryption", "says that its key is for encryption",
            .members(.keys) { members, _ in
                members["keys"] = .array(
                    (members["keys"]?.array ?? []).map { key in
                        var object = key.object ?? JSONObject()
                        object["use"] = "enc"
                        return .object(object)
                    })
            }),
        Fault("userinfo-401", "answers 401", .instead(.userinfo) { _ in SpoiltAnswers.empty(401) }),
        Fault("userinfo-500", "answers 500", .instead(.userinfo) { _ in SpoiltAnswers.empty(500) }),
        Fault(
            "userinfo-other-subject", "is about somebody else",
            .members(.userinfo) { members, _ in members["sub"] = "user-somebody-else" }),
        Fault("userinfo-no-subject", "has no sub", .members(.userinfo) { members, _ in members["sub"] = nil }),
        Fault("revocation-503", "answers 503", .instead(.revocation) { _ in SpoiltAnswers.empty(503) }),
        Fault("revocation-401", "answers 401 without a body", .instead(.revocation) { _ in SpoiltAnswers.empty(401) }),
        Fault(
            "revocation-unsupported", "answers 400 unsupported_token_type",
            .instead(.revocation) { _ in OAuthError("unsupported_token_type").response }),
        Fault(
            "device-denied", "every poll answers access_denied",
            .instead(.token) { _ in OAuthError("access_denied", "the person denied the device").response }),
        Fault(
            "device-expired", "every poll answers expired_token",
            .instead(.token) { _ in OAuthError("expired_token").response }),
        Fault(
            "device-no-complete-uri", "gives no verification_uri_complete",
            .members(.device) { members, _ in members["verification_uri_complete"] = nil }),
        Fault(
            "device-no-interval", "gives no interval",
            .members(.device) { members, _ in members["interval"] = nil }),
        Fault("device-500", "answers 500", .instead(.device) { _ in SpoiltAnswers.empty(500) }),
        Fault("logout-500", "answers 500", .instead(.logout) { _ in SpoiltAnswers.empty(500) }),
        Fault("git-refuse", "turns down credentials that are good", .gitRefusal),
    ]
}
