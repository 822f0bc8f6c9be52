import Foundation
import TestSupport

/// glewlwyd's administrator, at work through its REST interface.
final class GlewlwydAdministration {
    private let world: World
    private let origin: String
    private let issuer: String
    private let session: String

    init(origin: String, issuer: String, in world: World) throws {
        self.world = world
        self.origin = origin
        self.issuer = issuer
        // The account that the database is made with.
        let account = #"{"username":"admin","password":"password"}"#
        let answer = try world.http(
            "POST", "\(origin)/api/auth/", headers: ["Content-Type": "application/json"], body: account)
        guard answer.status == 200, let cookie = answer.headers["set-cookie"] else {
            throw MissingPart(description: "glewlwyd does not know its administrator: \(answer)")
        }
        session = String(cookie.prefix { $0 != ";" })
    }

    /// Scopes, Alice, the OpenID Connect plugin with a key, and a public client.
    func provision(clientID: String, redirectURIs: [String]) throws {
        try call("PUT", "/scope/openid", scope("openid"))
        for name in ["profile", "email"] { try call("POST", "/scope/", scope(name)) }
        var parameters = settings
        parameters.merge(try key(.rsa)) { $1 }
        try call(
            "POST", "/mod/plugin/",
            [
                "module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "enabled": true,
                "parameters": parameters,
            ])
        try call(
            "POST", "/user/",
            [
                "username": Alice.username, "name": Alice.name, "email": Alice.email, "password": Alice.password,
                "enabled": true, "scope": ["openid", "profile", "email"],
            ])
        try keepPostLogoutRedirectURIs()
        try call(
            "POST", "/client/",
            [
                "client_id": clientID, "name": "MojoAuth CLI", "confidential": false, "enabled": true,
                "redirect_uri": redirectURIs, "post_logout_redirect_uris": redirectURIs, "scope": [String](),
                "authorization_type": ["code", "refresh_token", "device_authorization"],
            ])
    }

    enum KeyType {
        case rsa
        case ec
    }

    /// Signs with a new key from now on; the old one is no longer in the key set. Refresh tokens stay good.
    func rotateKey(to type: KeyType) throws {
        let key = try key(type)
        try change("/mod/plugin/oidc") { $0.merge(key) { $1 } }
    }

    /// Its OpenID Connect plugin looks for them, its database of clients does not keep them unless it is told to.
    private func keepPostLogoutRedirectURIs() throws {
        try change("/mod/client/database") { parameters in
            var format = parameters["data-format"] as? [String: Any] ?? [:]
            format["post_logout_redirect_uris"] = ["multiple": true, "read": true, "write": true]
            parameters["data-format"] = format
        }
    }

    /// Changes a module's parameters. It reads them when it is enabled, and only then.
    private func change(_ module: String, _ edit: (inout [String: Any]) -> Void) throws {
        let answer = try call("GET", module)
        guard var object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any],
            var parameters = object["parameters"] as? [String: Any]
        else { throw MissingPart(description: "glewlwyd's \(module): \(answer)") }
        edit(&parameters)
        object["parameters"] = parameters
        try call("PUT", module, object)
        try call("PUT", "\(module)/disable/")
        try call("PUT", "\(module)/enable/")
    }

    // MARK: Settings

    private var settings: [String: Any] {
        [
            "iss": issuer, "jwt-key-size": "256", "access-token-duration": 3600, "refresh-token-duration": 86400,
            "code-duration": 60, "refresh-token-rolling": true, "refresh-token-one-use": "always",
            "allow-non-oidc": true, "auth-type-code-enabled": true, "auth-type-code-revoke-replayed": true,
            "auth-type-token-enabled": false, "auth-type-id-token-enabled": false, "auth-type-none-enabled": false,
            "auth-type-password-enabled": false, "auth-type-client-enabled": false, "auth-type-refresh-enabled": true,
            "auth-type-device-enabled": true, "device-authorization-expiration": 120,
            "device-authorization-interval": 1, "pkce-allowed": true, "pkce-required": true,
            "pkce-method-plain-allowed": false, "introspection-revocation-allowed": true,
            "introspection-revocation-allow-target-client": true, "introspection-revocation-auth-scope": ["openid"],
            // Without front-channel logout its page for signing out never finds the session.
            "session-management-allowed": true, "front-channel-logout-allowed": true,
            "session-cookie-name": "GLEWLWYD2_OIDC_SESSION",
            "session-cookie-expiration": 3600, "oauth-as-iss-id": true, "subject-type": "public", "jwks-show": true,
            "name-claim": "mandatory", "email-claim": "mandatory", "scope-claim": "no",
        ]
    }

    private func scope(_ name: String) -> [String: Any] {
        [
            "name": name, "display_name": name, "description": name, "password_required": true,
            "password_max_age": 0, "scheme": [String: Any](), "scheme_required": [String: Any](),
        ]
    }

    private func key(_ type: KeyType) throws -> [String: Any] {
        let options =
            switch type {
            case .rsa: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
            case .ec: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
            }
        let made = try world.run(.openssl, ["genpkey"] + options)
        let published = try world.run(.openssl, ["pkey", "-pubout"], input: made.text)
        guard made.exitCode == 0, published.exitCode == 0 else {
            throw MissingPart(description: "openssl: \(made), \(published)")
        }
        return [
            "jwt-type": type == .rsa ? "rsa" : "ecdsa", "key": made.text, "cert": published.text,
            "default-kid": UUID().uuidString,
        ]
    }

    @discardableResult
    private func call(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws -> String {
        let text = try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        let answer = try world.http(
            method, "\(origin)/api\(path)", headers: ["Content-Type": "application/json", "Cookie": session],
            body: text ?? (method == "PUT" ? "" : nil))
        guard answer.status == 200 else { throw MissingPart(description: "glewlwyd: \(method) \(path): \(answer)") }
        return answer.body
    }
}
