import JOSE
import JSON
import OpenIDConnect
import Program
import WebAddress

extension Issuer {
    /// The token endpoint (RFC 6749 section 3.2).
    func token(_ request: HTTPRequest) -> HTTPResponse {
        guard let form = request.form else { return OAuthError.invalidRequest("the body is not a form").response }
        if let name = form.repeatedName, name != "resource" {
            return OAuthError.invalidRequest("the parameter \(name) was sent more than once").response
        }
        do {
            try authenticateClient(request, form)
            return try json(issue(for: form), of: .token)
        } catch let error as OAuthError {
            return error.response
        } catch {
            return HTTPResponse(status: 500)
        }
    }

    private func issue(for form: FormFields) throws -> JSONObject {
        switch form["grant_type"] {
        case "authorization_code": try tokens(of: redeem(form))
        case "refresh_token": try refresh(form)
        case Self.deviceGrantType: try tokens(of: poll(form))
        case nil: throw OAuthError.invalidRequest("grant_type is missing")
        default: throw OAuthError("unsupported_grant_type")
        }
    }

    /// Takes a code, once. A second time ends what the first gave (RFC 6749 section 4.1.2).
    private func redeem(_ form: FormFields) throws(OAuthError) -> Grant {
        guard let spelled = form["code"], let code = codes[spelled] else {
            throw .invalidGrant("the code is not known here")
        }
        if code.isUsed {
            end(code.grant.id)
            throw .invalidGrant("the code was used before: all that came of it is revoked")
        }
        codes[spelled]?.isUsed = true
        if Clock.now() >= code.expiresAt { throw .invalidGrant("the code has expired") }
        guard form["redirect_uri"] == code.redirectURI else {
            throw .invalidGrant("redirect_uri is not that of the authorization request")
        }
        let verifier = Array((form["code_verifier"] ?? "").utf8)
        guard Base64URL.encode(Digest.sha256(verifier)) == code.codeChallenge else {
            throw .invalidGrant("code_verifier does not fit code_challenge")
        }
        return code.grant
    }

    private func poll(_ form: FormFields) throws(OAuthError) -> Grant {
        guard let code = form["device_code"], var device = devices[code] else {
            throw .invalidGrant("the device code is not known here")
        }
        defer { devices[code] = device }
        let grant = try device.poll(now: Clock.now(), monotonic: Clock.monotonic())
        // Good for one token request.
        device.expiresAt = 0
        return grant
    }

    /// Tokens for a grant that is used for the first time.
    private func tokens(of grant: Grant) throws -> JSONObject {
        var refreshToken: String?
        if grant.scopes.contains("offline_access") {
            let token = Randomness.token()
            families[grant.id] = RefreshFamily(
                grant: grant, token: token, expiresAt: Clock.now() + options.refreshLifetime)
            refreshToken = token
        }
        return try answer(
            grant, scopes: grant.scopes, audience: grant.audience, refreshToken: refreshToken)
    }

    private func refresh(_ form: FormFields) throws -> JSONObject {
        guard let token = form["refresh_token"], let id = families.first(where: { $0.value.owns(token) })?.key,
            var family = families[id]
        else { throw OAuthError.invalidGrant("the refresh token is not known here") }
        let grant = family.grant
        let asked = form["scope"].map { $0.split(separator: " ").map(String.init) } ?? grant.scopes
        guard asked.allSatisfy(grant.scopes.contains) else {
            throw OAuthError("invalid_scope", "more than was granted")
        }
        let audience = form.fields.filter { ["audience", "resource"].contains($0.name) }.map(\.value)
        do {
            let next = try family.use(
                token, at: Clock.now(), rotating: options.rotatesRefreshTokens, grace: options.grace,
                lifetime: options.refreshLifetime)
            families[id] = family
            return try answer(
                grant, scopes: asked, audience: audience.isEmpty ? grant.audience : audience, refreshToken: next)
        } catch let error as OAuthError {
            families[id] = family
            if family.isRevoked { end(id) }
            throw error
        }
    }

    /// Revokes a grant: its refresh tokens and its access tokens.
    func end(_ grantID: String) {
        families[grantID]?.revoke()
        revokedGrants.insert(grantID)
    }

    /// The members of a token response (RFC 6749 section 5.1, OpenID Connect Core 3.1.3.3).
    private func answer(
        _ grant: Grant, scopes: [String], audience: [String], refreshToken: String?
    ) throws -> JSONObject {
        let accessToken = try accessToken(for: grant, scopes: scopes, audience: audience)
        var object = JSONObject()
        object["access_token"] = .string(accessToken)
        object["token_type"] = "Bearer"
        object["expires_in"] = .integer(options.accessLifetime)
        if let refreshToken { object["refresh_token"] = .string(refreshToken) }
        object["scope"] = .string(scopes.joined(separator: " "))
        if scopes.contains("openid") { object["id_token"] = .string(try idToken(for: grant, accessToken: accessToken)) }
        return object
    }
}
