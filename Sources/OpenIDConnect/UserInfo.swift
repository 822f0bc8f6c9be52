import JSON

/// What the userinfo endpoint told of the person (OpenID Connect Core section 5.3.2), and when.
package struct UserInfo: Sendable, Equatable {
    package var claims: JSONObject
    package var fetchedAt: NumericDate

    package enum Failure: Error, Sendable, Equatable {
        case missingSubject
        /// The answer is about somebody else: it must not be used (section 5.3.2).
        case otherSubject(expected: String, found: String)
    }

    /// For a state that was stored: its subject was compared when it was fetched.
    package init(stored claims: JSONObject, fetchedAt: NumericDate) {
        self.claims = claims
        self.fetchedAt = fetchedAt
    }

    /// - Parameter subject: the ID token's.
    package init(_ claims: JSONObject, subject: String?, fetchedAt now: NumericDate) throws(Failure) {
        guard let found = claims["sub"]?.string, !found.isEmpty else { throw .missingSubject }
        if let subject, !subject.hasSameBytes(as: found) { throw .otherSubject(expected: subject, found: found) }
        self.init(stored: claims, fetchedAt: now)
    }
}

extension UserInfo.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingSubject: "the userinfo answer has no sub"
        case .otherSubject(let expected, let found):
            "the userinfo answer is about subject \"\(found)\", the login is about \"\(expected)\""
        }
    }
}
