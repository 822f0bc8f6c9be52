import Sensitive
import WebAddress

extension Issuer {
    /// Makes sure that a request comes from the one client (RFC 6749 section 2.3).
    ///
    /// A public client names itself; a confidential one shows its secret, in one way and not in two.
    func authenticateClient(_ request: HTTPRequest, _ form: FormFields) throws(OAuthError) {
        let basic = request.basic.flatMap { pair -> (id: String, secret: String)? in
            // Both halves are form-urlencoded before they are joined.
            guard let id = FormFields.decode(pair.user), let secret = FormFields.decode(pair.password) else {
                return nil
            }
            return (id, secret)
        }
        guard form["client_id"] ?? basic?.id == Self.clientID, basic.map({ $0.id == Self.clientID }) ?? true else {
            throw OAuthError("invalid_client", "unknown client")
        }
        guard let clientSecret else { return }
        let shown = [basic?.secret, form["client_secret"]].compactMap { $0 }
        guard shown.count == 1 else {
            throw OAuthError("invalid_client", "the client secret was shown \(shown.count) times instead of once")
        }
        guard Secret(shown[0]) == clientSecret else { throw OAuthError("invalid_client", "wrong client secret") }
    }
}
