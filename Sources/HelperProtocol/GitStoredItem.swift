import Sensitive

/// A git credential of a foreign host in the keyring, in the layout of git-credential-libsecret: the same items, so
/// that either helper finds what the other kept.
package enum GitStoredItem {
    /// The older one of the two, because its readers are fewer: git's helper before 2.43 finds no other, while the newer
    /// ones do not look at the schema. So whoever goes back to either helper finds what ours kept.
    package static let schemaName = "org.gnome.keyring.NetworkPassword"
    /// The newer one is what git's helper writes since 2.43. A search without a schema finds both; other programs' items
    /// may turn up with them.
    package static let schemaNames: Set<String> = [schemaName, "org.git.Password"]

    /// The attributes to store under, and to search by: a key only where there is a value. A search finds supersets,
    /// so what it finds is compared by ``GitCredential/matches(_:)``.
    ///
    /// Nil when a value is not UTF-8: the bus carries nothing else.
    package static func attributes(for credential: GitCredential) -> [String: String]? {
        var attributes: [String: String] = [:]
        let (server, port) = split(host: credential.host)
        let values: KeyValuePairs = [
            "user": credential.username, "object": credential.path, "protocol": credential.protocol, "server": server,
            "port": port,
        ]
        for (key, value) in values {
            guard let value else { continue }
            guard let text = String(validating: value, as: UTF8.self) else { return nil }
            attributes[key] = text
        }
        return attributes
    }

    /// Splits a port off that reads back as the same digits. A colon inside the brackets of an IPv6 address is none.
    private static func split(host: [UInt8]?) -> (server: [UInt8]?, port: [UInt8]?) {
        guard let host, let colon = host.lastIndex(of: UInt8(ascii: ":")) else { return (host, nil) }
        let digits = Array(host[(colon + 1)...])
        guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }), digits[0] != 0x30,
            let number = Int(String(decoding: digits, as: UTF8.self)), number <= 65535
        else { return (host, nil) }
        return (Array(host[..<colon]), digits)
    }

    /// What a keyring browser shows.
    package static func label(for credential: GitCredential) -> String {
        let part = { (bytes: [UInt8]?) in String(decoding: bytes ?? [], as: UTF8.self) }
        return "Git: \(part(credential.protocol))://\(part(credential.host))/\(part(credential.path))"
    }

    /// The secret's text: the password, then a line each for expiry and refresh token where they are known.
    ///
    /// Nil without a password.
    package static func secret(for credential: GitCredential) -> Secret? {
        guard let password = credential.password else { return nil }
        var bytes = password.withBytes { Array($0) }
        if let expiry = credential.passwordExpiry { bytes += "\npassword_expiry_utc=\(expiry)".utf8 }
        if let token = credential.oauthRefreshToken {
            bytes += "\noauth_refresh_token=".utf8
            token.withBytes { bytes += $0 }
        }
        return Secret(bytes)
    }

    /// The credential of an item that was found; without a secret (a locked item) only its description.
    package static func credential(attributes: [String: String], secret: Secret?) -> GitCredential {
        var credential = GitCredential()
        credential.protocol = attributes["protocol"].map { Array($0.utf8) }
        credential.path = attributes["object"].map { Array($0.utf8) }
        credential.username = attributes["user"].map { Array($0.utf8) }
        credential.host = attributes["server"].map { server in
            Array(server.utf8) + (attributes["port"].map { Array(":\($0)".utf8) } ?? [])
        }
        secret?.withBytes { bytes in
            var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).makeIterator()
            credential.password = lines.next().map { Secret($0) }
            while let line = lines.next() {
                if let value = value(of: "password_expiry_utc=", in: line) {
                    credential.passwordExpiry = GitRequest.time(value)
                } else if let value = value(of: "oauth_refresh_token=", in: line) {
                    credential.oauthRefreshToken = Secret(value)
                }
            }
        }
        return credential
    }

    private static func value(
        of key: StaticString, in line: Slice<UnsafeRawBufferPointer>
    ) -> Slice<UnsafeRawBufferPointer>? {
        let name = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        return line.starts(with: name) ? line.dropFirst(name.count) : nil
    }
}
