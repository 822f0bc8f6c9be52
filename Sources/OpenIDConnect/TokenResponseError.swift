/// Why a 200 from the token endpoint is not acceptable. Never quotes a token.
package enum TokenResponseError: Error, Sendable, Equatable {
    case missingAccessToken
    case missingTokenType
    case unusableTokenType(String)
    case malformed(String)
    case impossibleLifetime(Int)
    /// A login must prove who signed in.
    case missingIDToken
}

extension TokenResponseError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingAccessToken: "the token answer has no access_token"
        case .missingTokenType: "the token answer has no token_type"
        case .unusableTokenType(let type):
            "the token answer has token_type \"\(type)\", which no helper protocol can carry"
        case .malformed(let name): "\(name) in the token answer is malformed"
        case .impossibleLifetime(let seconds):
            "expires_in in the token answer means \(seconds) seconds, which cannot be"
        case .missingIDToken: "the token answer has no id_token although scope openid was asked for"
        }
    }
}
