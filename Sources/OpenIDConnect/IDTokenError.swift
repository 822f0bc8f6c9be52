/// Which check an ID token failed; both values are named, so that a person can see what differs.
package enum IDTokenError: Error, Sendable, Equatable {
    case missingClaim(String)
    case malformedClaim(String)
    case wrongIssuer(expected: String, found: String)
    case wrongAudience(expected: String, found: [String])
    case missingAuthorizedParty(audience: [String])
    case wrongAuthorizedParty(expected: String, found: String)
    case expired(at: NumericDate, now: NumericDate)
    case notYetValid(from: NumericDate, now: NumericDate)
    case issuedInTheFuture(at: NumericDate, now: NumericDate)
    case issuedLongAgo(at: NumericDate, now: NumericDate)
    case missingNonce
    case wrongNonce
    case wrongAccessTokenHash
    case changedSubject(before: String, now: String)
    case authenticatedTooLongAgo(at: NumericDate, maxAge: Int, now: NumericDate)
    case wrongAuthenticationContext(expected: [String], found: String?)
}

extension IDTokenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingClaim(let name): "the ID token has no \(name)"
        case .malformedClaim(let name): "\(name) in the ID token is malformed"
        case .wrongIssuer(let expected, let found): "the ID token was issued by \"\(found)\", expected \"\(expected)\""
        case .wrongAudience(let expected, let found):
            "the ID token is for \(Self.list(found)), expected client \"\(expected)\""
        case .missingAuthorizedParty(let audience):
            "the ID token is for several parties (\(Self.list(audience))) and names none of them as azp"
        case .wrongAuthorizedParty(let expected, let found):
            "the ID token was made for party \"\(found)\", expected \"\(expected)\""
        case .expired(let at, let now): "the ID token expired at \(at), it is \(now) here: check the clock"
        case .notYetValid(let from, let now): "the ID token is valid from \(from), it is \(now) here: check the clock"
        case .issuedInTheFuture(let at, let now):
            "the ID token was issued at \(at), it is \(now) here: check the clock"
        case .issuedLongAgo(let at, let now):
            "the ID token was issued at \(at), more than 10 minutes before \(now): check the clock"
        case .missingNonce: "the ID token has no nonce, although one was sent"
        case .wrongNonce: "the ID token carries another nonce than the one that was sent"
        case .wrongAccessTokenHash: "at_hash in the ID token does not fit the access token that came with it"
        case .changedSubject(let before, let now):
            "the ID token is about subject \"\(now)\", the login was about \"\(before)\""
        case .authenticatedTooLongAgo(let at, let maxAge, let now):
            "the person was authenticated at \(at), more than \(maxAge) seconds before \(now)"
        case .wrongAuthenticationContext(let expected, let found):
            "acr in the ID token is \(found.map { "\"\($0)\"" } ?? "absent"), asked for \(Self.list(expected))"
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "nobody" : names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
