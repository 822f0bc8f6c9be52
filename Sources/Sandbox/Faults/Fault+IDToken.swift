import JSON
import Program

extension Fault {
    /// The ID token says something wrong, well signed.
    static let claimRows: [Fault] = [
        claim("wrong-nonce", "the nonce is another one", "nonce", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        claim("missing-nonce", "no nonce", "nonce", nil),
        claim("wrong-issuer", "the issuer is another one", "iss", "https://other.example"),
        Fault(
            "issuer-slash", "the issuer has a slash at its end",
            .claims { claims, strike in
                claims["iss"] = .string(strike.issuer + "/")
            }),
        claim("wrong-audience", "the audience is another client", "aud", "other-client"),
        claim("empty-audience", "the audience is an empty list", "aud", []),
        Fault(
            "several-audiences", "two audiences, and azp names the client",
            .claims { claims, _ in
                claims["aud"] = .array([.string(Issuer.clientID), "other-client"])
                claims["azp"] = .string(Issuer.clientID)
            }),
        Fault(
            "missing-azp", "two audiences and no azp",
            .claims { claims, _ in
                claims["aud"] = .array([.string(Issuer.clientID), "other-client"])
            }),
        claim("wrong-azp", "azp is another client", "azp", "other-client"),
        time("expired-id-token", "it expired an hour ago (=SECONDS)", "exp", usual: -3600),
        claim("missing-exp", "no exp", "exp", nil),
        claim("missing-iat", "no iat", "iat", nil),
        time("iat-ahead", "issued an hour from now (=SECONDS)", "iat", usual: 3600),
        time("iat-behind", "issued a day ago (=-SECONDS)", "iat", usual: -86400),
        time("nbf-ahead", "not valid before an hour from now (=SECONDS)", "nbf", usual: 3600),
        claim("exp-word", "exp is a word", "exp", "tomorrow"),
        claim("missing-subject", "no subject", "sub", nil),
        claim("empty-subject", "the subject is empty", "sub", ""),
        Fault(
            "changed-subject", "a refresh brings another subject",
            .claims { claims, strike in
                if strike.isRefresh { claims["sub"] = "user-somebody-else" }
            }),
        Fault(
            "changed-issuer", "a refresh brings another issuer",
            .claims { claims, strike in
                if strike.isRefresh { claims["iss"] = "https://other.example" }
            }),
        claim("wrong-at-hash", "at_hash is of another token", "at_hash", "AAAAAAAAAAAAAAAAAAAAAA"),
        claim("missing-at-hash", "no at_hash", "at_hash", nil),
        claim("missing-auth-time", "no auth_time", "auth_time", nil),
        time("auth-time-old", "the person signed in a week ago (=-SECONDS)", "auth_time", usual: -7 * 86400),
        Fault(
            "auth-time-float", "auth_time has a fraction",
            .claims { claims, _ in
                claims["auth_time"] = .real(Double(Clock.now()) - 0.5)
            }),
        claim("wrong-acr", "acr is none that was asked for", "acr", "none-of-these"),
        Fault(
            "only-subject", "no e-mail, no name, no picture",
            .claims { claims, _ in
                for name in ["email", "email_verified", "name", "picture"] { claims[name] = nil }
            }),
        Fault(
            "odd-name", "a name with control and reordering characters",
            .claims { claims, _ in
                claims["name"] = "Alice\u{1B}[31m\u{202E}ecilA\n"
            }),
    ]

    /// The ID token is put together or signed in a way that must not be accepted, or that must be.
    static let signatureRows: [Fault] = [
        Fault(
            "bad-signature", "one byte of the signature is changed", .signing { draft, _ in draft.signer = .damaged }),
        Fault(
            "stranger-key", "signed by a key that is in no key set, under a kid that is",
            .signing { draft, _ in
                draft.signer = .stranger
            }),
        Fault(
            "unknown-kid", "signed by a key whose kid no key set has",
            .signing { draft, _ in
                draft.signer = .stranger
                draft.header["kid"] = "nobody-knows-me"
            }),
        Fault(
            "rotated-keys", "signed by a new key, and the key set serves that one alone",
            .signing { draft, strike in
                if strike.count == 1 { draft.signer = .rotated }
            }),
        Fault("no-kid", "names no key", .signing { draft, _ in draft.header["kid"] = nil }),
        Fault(
            "alg-none", "alg is none, without a signature",
            .signing { draft, _ in
                draft.header["alg"] = "none"
                draft.signer = .none
            }),
        Fault(
            "alg-none-mixed", "alg is nOnE, without a signature",
            .signing { draft, _ in
                draft.header["alg"] = "nOnE"
                draft.signer = .none
            }),
        Fault(
            "alg-hs256", "HS256 with the public key as its secret",
            .signing { draft, _ in
                draft.header["alg"] = "HS256"
                draft.signer = .publicModulus
            }),
        Fault(
            "alg-rs512", "alg says RS512 over an RS256 signature",
            .signing { draft, _ in
                draft.header["alg"] = "RS512"
            }),
        Fault("alg-twice", "names its algorithm twice", .signing { draft, _ in draft.headerPrefix = #""alg":"none""# }),
        Fault(
            "crit", "demands an extension that nobody knows",
            .signing { draft, _ in
                draft.header["crit"] = ["exp-policy"]
                draft.header["exp-policy"] = 1
            }),
        Fault("b64-false", "b64 is false", .signing { draft, _ in draft.header["b64"] = false }),
        Fault("at-jwt-type", "typ is at+jwt", .signing { draft, _ in draft.header["typ"] = "at+jwt" }),
        Fault("logout-jwt-type", "typ is logout+jwt", .signing { draft, _ in draft.header["typ"] = "logout+jwt" }),
        Fault("no-type", "no typ", .signing { draft, _ in draft.header["typ"] = nil }),
        Fault(
            "own-key", "brings jku and jwk of its own",
            .signing { draft, _ in
                draft.header["jku"] = "https://other.example/keys"
                draft.header["jwk"] = ["kty": "oct", "k": "AAAA"]
            }),
        Fault("padded", "ends in base64 padding", .signing { draft, _ in draft.suffix = "==" }),
        Fault("four-segments", "has four segments", .signing { draft, _ in draft.suffix = ".AAAA" }),
        Fault(
            "claims-twice", "names its subject twice",
            .signing { draft, _ in
                draft.claimsPrefix = #""sub":"user-somebody-else""#
            }),
    ]

    private static func claim(_ name: String, _ summary: String, _ claim: String, _ value: JSONValue?) -> Fault {
        Fault(name, summary, .claims { claims, _ in claims[claim] = value })
    }

    /// A claim that is a time, so many seconds from now.
    private static func time(_ name: String, _ summary: String, _ claim: String, usual: Int) -> Fault {
        Fault(
            name, summary,
            .claims { claims, strike in
                let seconds = strike.value.flatMap { Int($0) }.map { usual < 0 ? -abs($0) : $0 } ?? usual
                claims[claim] = .integer(Clock.now() + seconds)
            })
    }
}
