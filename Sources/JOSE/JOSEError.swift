/// Why a signed token, or the key set that should verify it, is refused. One case a rule; never quotes the token but
/// for the short names that the rule is about.
package enum JOSEError: Error, Sendable, Equatable {
    /// No compact JWS of three strict base64url segments with a JSON object as header.
    case malformed(String)
    /// The key set is not one; the text says why.
    case malformedKeySet(String)
    /// Five segments or an `enc` member: an encrypted token, which nobody here asked for.
    case encrypted
    /// The algorithm the header names (as spelled) is not among those allowed: `none` and HMAC never are.
    case algorithmNotAllowed(String)
    /// `crit` names extensions, and we understand none (RFC 7515 section 4.1.11).
    case criticalExtension([String])
    /// A header member that changes the token's meaning: `zip`, `b64`.
    case unsupportedHeader(String)
    /// `typ` says that this is another kind of token.
    case wrongType(String)
    /// No key of the set has this `kid`: the caller may fetch the set once more.
    case unknownKey(String)
    /// The header has no `kid`, and not exactly one key fits the algorithm.
    case noSingleKey(fitting: Int)
    /// The key that `kid` names cannot be used; the text says why.
    case keyUnfit(kid: String?, why: String)
    case signatureInvalid
    /// A private key could not be made or used: only a signer meets this.
    case signingFailed(String)
}

extension JOSEError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let why): "not a signed token: \(why)"
        case .malformedKeySet(let why): "not a key set: \(why)"
        case .encrypted: "the token is encrypted, and only signed ones are accepted"
        case .algorithmNotAllowed(let name): "signature algorithm '\(Self.short(name))' is not allowed"
        case .criticalExtension(let names):
            "the token demands extensions that are not known here: \(names.map(Self.short).joined(separator: ", "))"
        case .unsupportedHeader(let name): "the token's header has '\(name)', which is not supported"
        case .wrongType(let type): "the token is of type '\(Self.short(type))', another kind than wanted here"
        case .unknownKey(let kid): "the key set has no key with kid '\(Self.short(kid))'"
        case .noSingleKey(0): "the token names no key, and no key of the set fits its algorithm"
        case .noSingleKey(let count): "the token names no key, and \(count) keys of the set fit its algorithm"
        case .keyUnfit(let kid?, let why): "key '\(Self.short(kid))' cannot be used: \(why)"
        case .keyUnfit(nil, let why): "the key cannot be used: \(why)"
        case .signatureInvalid: "the signature does not verify"
        case .signingFailed(let why): "cannot sign: \(why)"
        }
    }

    private static func short(_ text: String) -> String {
        text.count > 80 ? text.prefix(80) + "..." : text
    }
}
