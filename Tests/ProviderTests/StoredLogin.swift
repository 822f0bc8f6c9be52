import Foundation
import Testing

/// The secret of a keyring item, read as anybody could read it.
struct StoredLogin {
    private var object: [String: Any]

    init(_ text: String) throws {
        object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    func text() throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    subscript(name: String) -> String? {
        get { object[name] as? String }
        set { object[name] = newValue }
    }

    var accessToken: String? { self["access_token"] }

    var refreshToken: String? {
        get { self["refresh_token"] }
        set { self["refresh_token"] = newValue }
    }

    var idToken: String? { self["id_token"] }

    var scope: String? { self["scope"] }

    /// The error that ended the login.
    var error: String? { (object["error"] as? [String: Any])?["code"] as? String }

    /// A member of the ID token's header.
    func idTokenHeader(_ name: String) throws -> String? { try idTokenPart(0)[name] as? String }

    /// A claim of the ID token.
    func claim(_ name: String) throws -> Any? { try idTokenPart(1)[name] }

    private func idTokenPart(_ index: Int) throws -> [String: Any] {
        let parts = try #require(idToken).split(separator: ".")
        try #require(parts.count == 3)
        var text = String(parts[index]).replacing("-", with: "+").replacing("_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        let data = try #require(Data(base64Encoded: text))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}
