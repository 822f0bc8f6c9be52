import JOSE
import JSON
import OpenIDConnect
import Program
import Sensitive

/// Checks an ID token whole: signature first, then every claim (OpenID Connect Core section 3.1.3.7).
package struct IDTokenValidator {
    private let metadata: ProviderMetadata
    private let keys: KeySetSource
    private let ceremony: Ceremony

    package init(metadata: ProviderMetadata, http: HTTPClient, ceremony: Ceremony) {
        self.metadata = metadata
        self.ceremony = ceremony
        keys = KeySetSource(metadata.keySetURL, http: http)
    }

    /// Fetches the keys ahead, so that nothing stands between an answer and its use.
    package func prepare() throws(IDTokenFailure) {
        try keys.prepare()
    }

    /// - Parameter accessToken: the one that came in the same answer.
    @discardableResult
    package func validate(
        _ token: Secret, by rules: IDTokenRules, accessToken: Secret, now: NumericDate
    ) throws(IDTokenFailure) -> IDToken {
        let verified = try keys.verify(token.text ?? "", allowed: metadata.idTokenSigningAlgorithms)
        let value: JSONValue
        do {
            value = try JSONValue(parsing: verified.payload)
        } catch {
            throw .claimsJSON(error)
        }
        guard let claims = value.object else { throw .signature(.malformed("its payload is no JSON object")) }
        do {
            let idToken = try IDToken(claims)
            try rules.validate(
                idToken, accessToken: accessToken, algorithm: verified.header.algorithm, ceremony: ceremony, now: now)
            Steps.note("the ID token holds: \(verified.header.algorithm.rawValue), good until \(idToken.expiresAt)")
            return idToken
        } catch {
            throw .claims(error)
        }
    }
}
