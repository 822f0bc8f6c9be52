import JSON

/// Someone who signs in: every e-mail address is somebody.
struct Person: Equatable {
    let email: String

    /// Takes what was typed; nil for what is no address.
    init?(email typed: String) {
        let text = typed.lowercased()
        let halves = text.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }), text.utf8.count <= 254,
            text.unicodeScalars.allSatisfy({
                $0.value > 0x20 && $0.value != 0x7F && !"<>()[]\\,;:\"".unicodeScalars.contains($0)
            })
        else { return nil }
        email = text
    }

    /// The same for the same address, and tells nothing of it.
    var subject: String {
        let hex = Array("0123456789abcdef")
        let digest = Digest.sha256(Array(email.utf8)).prefix(12)
        return "user-" + String(digest.flatMap { [hex[Int($0 >> 4)], hex[Int($0 & 15)]] })
    }

    /// `alice.example@...` is called Alice Example.
    var name: String {
        email.prefix { $0 != "@" }.split(whereSeparator: { ".-_+".contains($0) })
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    /// The claims that the scopes release (OpenID Connect Core 5.4), besides `sub`.
    func claims(scopes: [String], issuer: String) -> JSONObject {
        var claims = JSONObject()
        if scopes.contains("email") {
            claims["email"] = .string(email)
            claims["email_verified"] = true
        }
        if scopes.contains("profile") {
            claims["name"] = .string(name)
            claims["picture"] = .string(issuer + "/sandbox/picture.svg")
        }
        return claims
    }
}
