import JSON
import OpenIDConnect
import Sensitive

/// The stored form of an ``AuthState``: JSON with a version. What the hot path needs comes first.
package enum AuthStateCoding {
    package static let version = 1

    package enum Failure: Error, Sendable, Equatable {
        case newerVersion(Int)
        case damaged
    }

    package static func encode(_ state: AuthState) -> Secret {
        var object = JSONObject()
        object["version"] = .integer(version)
        if let token = state.storedAccessToken { encode(token, into: &object) }
        object["needs_refresh"] = .bool(state.needsRefresh)
        if let error = state.authorizationError {
            object["error"] = .object(
                JSONObject([
                    .init(name: "domain", value: .string(error.domain)),
                    .init(name: "code", value: .string(error.code)),
                    .init(name: "text", value: error.text.map(JSONValue.string) ?? .null),
                ]))
        }
        object["refresh_token"] = state.refreshToken?.text.map(JSONValue.string)
        object["id_token"] = state.storedIDToken?.text.map(JSONValue.string)
        if let info = state.userInfo, canNest(info.claims) {
            object["userinfo"] = .object(info.claims)
            object["userinfo_at"] = .integer(info.fetchedAt)
        }
        object["scope"] = state.scope.map(JSONValue.string)
        if !state.storedTargetTokens.isEmpty { object["target_tokens"] = .array(encodeTargets(state)) }
        object["issuer"] = .string(state.issuer)
        object["client_id"] = .string(state.clientID)
        object["redirect_uri"] = .string(state.redirectURI)
        object["token_endpoint"] = .string(state.tokenEndpoint)
        object["logged_in_at"] = .integer(state.loggedInAt)
        // Strings, whole numbers, flags and what was parsed before: they always serialize.
        return Secret((try? JSONValue.object(object).serialized()) ?? [])
    }

    package static func decode(_ secret: Secret) throws(Failure) -> AuthState {
        let parsed = secret.withBytes { bytes in try? JSONValue(parsing: bytes) }
        guard let object = parsed?.object, let found = object["version"]?.integer, found >= 1 else { throw .damaged }
        guard found <= version else { throw .newerVersion(found) }
        guard let issuer = object["issuer"]?.string, let clientID = object["client_id"]?.string,
            let redirectURI = object["redirect_uri"]?.string, let tokenEndpoint = object["token_endpoint"]?.string,
            let loggedInAt = date(object, "logged_in_at"), let needsRefresh = object["needs_refresh"]?.bool
        else { throw .damaged }
        var state = AuthState(
            issuer: issuer, clientID: clientID, redirectURI: redirectURI, tokenEndpoint: tokenEndpoint,
            loggedInAt: loggedInAt)
        state.needsRefresh = needsRefresh
        state.scope = try optionalText(object, "scope")
        state.refreshToken = try optionalText(object, "refresh_token").map { Secret($0) }
        state.storedIDToken = try optionalText(object, "id_token").map { Secret($0) }
        if let claims = object["userinfo"]?.object, let fetchedAt = date(object, "userinfo_at") {
            state.userInfo = UserInfo(stored: claims, fetchedAt: fetchedAt)
        }
        state.storedAccessToken = try accessToken(object)
        state.storedTargetTokens = try targetTokens(object["target_tokens"])
        if let error = object["error"], error != .null {
            guard let fields = error.object, let domain = fields["domain"]?.string, let code = fields["code"]?.string
            else { throw .damaged }
            state.authorizationError = .init(domain: domain, code: code, text: try optionalText(fields, "text"))
        }
        return state
    }

    /// Claims from outside may be nested as deep as is ever read, and here they lie a level deeper: such a copy is left
    /// out, since the login could not be read back.
    private static func canNest(_ claims: JSONObject) -> Bool {
        guard let bytes = try? JSONValue.array([.object(claims)]).serialized() else { return false }
        return (try? JSONValue(parsing: bytes)) != nil
    }

    /// In a fixed order, so that the same state has one stored form.
    private static func encodeTargets(_ state: AuthState) -> [JSONValue] {
        let name: (TokenTarget) -> String = { "\($0.audience ?? "")\n\($0.resource ?? "")" }
        return state.storedTargetTokens.sorted { name($0.key) < name($1.key) }.map { target, token in
            var fields = JSONObject()
            fields["audience"] = target.audience.map(JSONValue.string)
            fields["resource"] = target.resource.map(JSONValue.string)
            encode(token, into: &fields)
            return .object(fields)
        }
    }

    private static func targetTokens(
        _ value: JSONValue?
    ) throws(Failure) -> [TokenTarget: AuthState.AccessToken] {
        guard let value, value != .null else { return [:] }
        guard let elements = value.array else { throw .damaged }
        var tokens: [TokenTarget: AuthState.AccessToken] = [:]
        for element in elements {
            guard let fields = element.object, let token = try accessToken(fields) else { throw .damaged }
            let target = TokenTarget(
                audience: try optionalText(fields, "audience"), resource: try optionalText(fields, "resource"))
            guard target != .standard, tokens.updateValue(token, forKey: target) == nil else { throw .damaged }
        }
        return tokens
    }

    private static func encode(_ token: AuthState.AccessToken, into fields: inout JSONObject) {
        fields["access_token"] = token.secret.text.map(JSONValue.string)
        fields["expires_at"] = .integer(token.expiresAt)
        fields["received_at"] = .integer(token.receivedAt)
        if token.isRefused { fields["refused"] = true }
        if token.replacesRefused { fields["replaces_refused"] = true }
    }

    private static func accessToken(_ fields: JSONObject) throws(Failure) -> AuthState.AccessToken? {
        guard let token = try optionalText(fields, "access_token") else { return nil }
        guard !token.isEmpty, let expiresAt = date(fields, "expires_at"), let receivedAt = date(fields, "received_at")
        else { throw .damaged }
        var access = AuthState.AccessToken(secret: Secret(token), receivedAt: receivedAt, expiresAt: expiresAt)
        access.isRefused = try optionalFlag(fields, "refused")
        access.replacesRefused = try optionalFlag(fields, "replaces_refused")
        return access
    }

    /// Differences are taken of these: a number from nowhere must not overflow.
    private static func date(_ fields: JSONObject, _ name: String) -> NumericDate? {
        guard let date = fields[name]?.integer, (0..<1 << 53).contains(date) else { return nil }
        return date
    }

    private static func optionalFlag(_ fields: JSONObject, _ name: String) throws(Failure) -> Bool {
        guard let value = fields[name], value != .null else { return false }
        guard let flag = value.bool else { throw .damaged }
        return flag
    }

    private static func optionalText(_ object: JSONObject, _ name: String) throws(Failure) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text)?: return text
        default: throw .damaged
        }
    }
}
