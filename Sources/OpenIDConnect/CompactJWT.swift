import JSON

/// The claims of a JSON Web Token, read without any check of its signature: good for a name to show or an expiry to
/// guess, never for a decision about trust.
package struct CompactJWT: Sendable {
    package let claims: JSONObject

    package init?(_ token: some StringProtocol) {
        let segments = token.split(separator: ".", omittingEmptySubsequences: false)
        guard segments.count == 3, let payload = Base64URL.decode(segments[1]),
            let claims = (try? JSONValue(parsing: payload))?.object
        else { return nil }
        self.claims = claims
    }
}
