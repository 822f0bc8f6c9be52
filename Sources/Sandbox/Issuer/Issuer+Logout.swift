import JOSE
import JSON
import OpenIDConnect
import WebAddress

extension Issuer {
    /// The end session endpoint (OpenID Connect RP-Initiated Logout 1.0).
    func logOut(_ request: HTTPRequest) -> HTTPResponse {
        guard let fields = request.method == "POST" ? request.form : request.query, fields.repeatedName == nil else {
            return Pages.problem("The request cannot be read", "Its parameters are not clear.", status: 400)
        }
        if let client = fields["client_id"], client != Self.clientID {
            return Pages.problem("Unknown application", "No application has the client id \(client).", status: 400)
        }
        let isKnown = fields["id_token_hint"].map(isOurs) ?? false
        guard isKnown || fields["confirmed"] == "yes" else {
            return Pages.confirmLogout(fields, action: address(of: .logout))
        }
        var response: HTTPResponse
        if let target = fields["post_logout_redirect_uri"] {
            guard redirects.allow(target) else {
                return Pages.problem(
                    "The redirect URI is not registered",
                    "Register exactly this one for signing out: \(target)", status: 400)
            }
            var back = FormFields()
            back.append("state", fields["state"])
            let joint = back.isEmpty ? "" : target.contains("?") ? "&" : "?"
            response = .redirect(to: target + joint + back.encoded)
        } else {
            response = Pages.notice("Signed out", "You are signed out at this browser. You can close this page.")
        }
        endSession(of: request, in: &response)
        return response
    }

    /// An ID token that we issued; one that has expired still tells who asks.
    private func isOurs(_ idToken: String) -> Bool {
        guard let set = try? KeySet(decoding: try keys.set),
            let verified = try? set.verify(idToken, allowed: [.rs256])
        else { return false }
        let claims = (try? JSONValue(parsing: verified.payload))?.object
        return claims?["iss"]?.string == url && claims?["aud"]?.string == Self.clientID
    }
}
