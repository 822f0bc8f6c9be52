import JSON
import WebAddress

/// What the bearer of a token gets, and what becomes of tokens.
extension Issuer {
    /// The userinfo endpoint (OpenID Connect Core 5.3).
    func userinfo(_ request: HTTPRequest) -> HTTPResponse {
        guard let token = request.bearer ?? request.form?["access_token"] else {
            var response = HTTPResponse(status: 401)
            response.set("WWW-Authenticate", "Bearer realm=\"userinfo\"")
            return response
        }
        guard let claims = claims(ofValid: token, types: ["at+jwt"]),
            let person = claims["jti"]?.string.flatMap({ grantsOfTokens[$0]?.person })
        else {
            var response = OAuthError("invalid_token").response
            response.status = 401
            response.set("WWW-Authenticate", "Bearer realm=\"userinfo\", error=\"invalid_token\"")
            return response
        }
        let scopes = (claims["scope"]?.string ?? "").split(separator: " ").map(String.init)
        var object = JSONObject()
        object["sub"] = .string(person.subject)
        for member in person.claims(scopes: scopes, issuer: url).members { object[member.name] = member.value }
        return json(object, of: .userinfo)
    }

    /// The revocation endpoint (RFC 7009): a refresh token ends its family, an access token itself.
    func revoke(_ request: HTTPRequest) -> HTTPResponse {
        guard let form = request.form, let token = form["token"] else {
            return OAuthError.invalidRequest("token is missing").response
        }
        do {
            try authenticateClient(request, form)
        } catch {
            return error.response
        }
        if let id = families.first(where: { $0.value.owns(token) })?.key {
            end(id)
        } else if let id = claims(ofValid: token, types: ["at+jwt"])?["jti"]?.string {
            revokedTokens.insert(id)
        }
        return HTTPResponse(status: 200)
    }

    /// The introspection endpoint (RFC 7662).
    func introspect(_ request: HTTPRequest) -> HTTPResponse {
        guard let token = request.form?["token"] else {
            return OAuthError.invalidRequest("token is missing").response
        }
        var object = JSONObject()
        if let claims = claims(ofValid: token, types: ["at+jwt"]) {
            object["active"] = true
            object["token_type"] = "Bearer"
            for member in claims.members { object[member.name] = member.value }
        } else {
            object["active"] = .bool(families.values.contains { $0.current == token && !$0.isRevoked })
        }
        return json(object, of: .introspection)
    }

    /// Whether the git server lets the sender of this request in: `sub` of its token, or nil.
    func bearerOfGit(_ request: HTTPRequest) -> String? {
        guard let token = request.bearer ?? request.basic?.password else { return nil }
        faults.begin(.git)
        if faults.refusesGit() { return nil }
        return claims(ofValid: token, types: ["at+jwt", "jwt"])?["sub"]?.string
    }
}
