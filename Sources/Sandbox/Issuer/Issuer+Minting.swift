import JOSE
import JSON
import OpenIDConnect
import Program

extension Issuer {
    /// An access token as RFC 9068 shapes it.
    func accessToken(for grant: Grant, scopes: [String], audience: [String]) throws(JOSEError) -> String {
        let now = Clock.now()
        let id = Randomness.token()
        grantsOfTokens[id] = grant
        var claims = JSONObject()
        claims["iss"] = .string(url)
        claims["sub"] = .string(grant.person.subject)
        let named = audience.isEmpty ? [url] : audience
        claims["aud"] = named.count == 1 ? .string(named[0]) : .array(named.map { .string($0) })
        claims["iat"] = .integer(now)
        claims["exp"] = .integer(now + options.accessLifetime)
        claims["jti"] = .string(id)
        claims["client_id"] = .string(grant.clientID)
        claims["scope"] = .string(scopes.joined(separator: " "))
        var header = JSONObject()
        header["typ"] = "at+jwt"
        return try keys.current.sign(header: header, payload: claims)
    }

    /// An ID token (OpenID Connect Core section 2), with what the faults make of it.
    func idToken(for grant: Grant, accessToken: String) throws(JOSEError) -> String {
        let now = Clock.now()
        var claims = JSONObject()
        claims["iss"] = .string(url)
        claims["sub"] = .string(grant.person.subject)
        claims["aud"] = .string(grant.clientID)
        claims["iat"] = .integer(now)
        claims["exp"] = .integer(now + options.accessLifetime)
        claims["auth_time"] = .integer(grant.authenticatedAt)
        if let nonce = grant.nonce { claims["nonce"] = .string(nonce) }
        if let acr = grant.acr { claims["acr"] = .string(acr) }
        claims["at_hash"] = .string(Base64URL.encode(Digest.sha256(Array(accessToken.utf8)).prefix(16)))
        for member in grant.person.claims(scopes: grant.scopes, issuer: url).members {
            claims[member.name] = member.value
        }
        faults.change(claims: &claims)

        var draft = IDTokenDraft(header: JSONObject(), claims: claims)
        draft.header["alg"] = "RS256"
        draft.header["typ"] = "JWT"
        draft.header["kid"] = .string(keys.current.keyID)
        faults.change(draft: &draft)
        if case .rotated = draft.signer {
            try keys.rotate()
            draft.header["kid"] = .string(keys.current.keyID)
        }
        return try draft.compact(keys: keys)
    }

    /// The claims of a token of ours that is still good; nil for any other.
    ///
    /// - Parameter types: the acceptable values of `typ`.
    func claims(ofValid token: String, types: Set<String>) -> JSONObject? {
        guard let set = try? KeySet(decoding: try keys.set),
            let verified = try? set.verify(token, allowed: [.rs256], types: types),
            let claims = try? JSONValue(parsing: verified.payload).object,
            let expiry = claims["exp"]?.integer, expiry > Clock.now(), claims["iss"]?.string == url
        else { return nil }
        if let id = claims["jti"]?.string {
            if revokedTokens.contains(id) { return nil }
            if let grant = grantsOfTokens[id], revokedGrants.contains(grant.id) { return nil }
        }
        return claims
    }
}
