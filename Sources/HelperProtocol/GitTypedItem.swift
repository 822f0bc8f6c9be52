import JSON
import Sensitive

/// A git credential with an authtype, of a foreign host, in the keyring: no other helper keeps these, so the layout is
/// ours, under our own schema.
package enum GitTypedItem {
    /// The attributes to store under: always the same six keys, empty where there is no value, because a keyring
    /// replaces any item whose attributes are a superset of the new ones. Nil when a value is not UTF-8.
    package static func attributes(for credential: GitCredential) -> [String: String]? {
        var attributes = base
        for (key, value) in values(of: credential) {
            guard let text = String(validating: value ?? [], as: UTF8.self) else { return nil }
            attributes[key] = text
        }
        return attributes
    }

    /// The attributes to search by: what is absent in a pattern may be anything.
    package static func searchAttributes(for pattern: GitCredential) -> [String: String]? {
        var attributes = base
        for (key, value) in values(of: pattern) {
            guard let value else { continue }
            guard let text = String(validating: value, as: UTF8.self) else { return nil }
            attributes[key] = text
        }
        return attributes
    }

    /// Finds all of them.
    package static var searchAllAttributes: [String: String] { base }

    private static let base = ["application": "mojoauth-credential", "kind": "git-credential"]

    private static func values(of credential: GitCredential) -> KeyValuePairs<String, [UInt8]?> {
        [
            "protocol": credential.protocol, "host": credential.host, "path": credential.path,
            "username": credential.username,
        ]
    }

    package static func label(for credential: GitCredential) -> String { GitStoredItem.label(for: credential) }

    /// The secret's text; nil when there is no authtype and credential, or one is not UTF-8.
    package static func secret(for credential: GitCredential) -> Secret? {
        guard let authtype = credential.authtype.flatMap({ String(validating: $0, as: UTF8.self) }),
            let value = credential.credential?.text
        else { return nil }
        var object = JSONObject([
            .init(name: "version", value: 1), .init(name: "authtype", value: .string(authtype)),
            .init(name: "credential", value: .string(value)),
        ])
        for (name, bytes) in values(of: credential) {
            guard let bytes else { continue }
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            object[name] = .string(text)
        }
        if let password = credential.password {
            guard let text = password.text else { return nil }
            object["password"] = .string(text)
        }
        if let expiry = credential.passwordExpiry { object["password_expiry_utc"] = .integer(expiry) }
        if let token = credential.oauthRefreshToken {
            guard let text = token.text else { return nil }
            object["oauth_refresh_token"] = .string(text)
        }
        return (try? JSONValue.object(object).serialized()).map { Secret($0) }
    }

    /// The credential of an item that was found; nil when the text is not of this layout and version.
    package static func credential(secret: Secret) -> GitCredential? {
        guard let object = (try? secret.withBytes { try JSONValue(parsing: $0) })?.object,
            object["version"]?.integer == 1, let authtype = object["authtype"]?.string,
            let value = object["credential"]?.string
        else { return nil }
        let bytes = { (name: String) in object[name]?.string.map { Array($0.utf8) } }
        var credential = GitCredential()
        credential.protocol = bytes("protocol")
        credential.host = bytes("host")
        credential.path = bytes("path")
        credential.username = bytes("username")
        credential.authtype = Array(authtype.utf8)
        credential.credential = Secret(value)
        credential.password = object["password"]?.string.map { Secret($0) }
        credential.passwordExpiry = object["password_expiry_utc"]?.integer
        credential.oauthRefreshToken = object["oauth_refresh_token"]?.string.map { Secret($0) }
        return credential
    }
}
