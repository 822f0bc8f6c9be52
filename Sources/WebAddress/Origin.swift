/// Scheme, host and port (RFC 6454 section 4), each in its one comparable form. Two origins are equal or they are not:
/// there is no suffix, no pattern.
package struct Origin: Sendable, Hashable {
    /// Lower case, without the colon.
    package let scheme: String
    package let host: Host
    /// The scheme's default when the address names none.
    package let port: Int

    package init(scheme: String, host: Host, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Takes a scheme and an authority without user information, as git's `protocol` and `host` give them; nil when
    /// either is not of its form, or when the port is missing and the scheme has no default.
    package init?(scheme: some StringProtocol, authority: some StringProtocol) {
        guard let scheme = Self.normalized(scheme: scheme),
            let (host, port) = Self.split(authority: authority),
            let port = port ?? Self.defaultPort(of: scheme)
        else { return nil }
        self.init(scheme: scheme, host: host, port: port)
    }

    /// Splits `host[:port]`; the port is nil when there is none.
    package static func split(authority: some StringProtocol) -> (host: Host, port: Int?)? {
        // Bytes, not characters: all that is looked for here is ASCII, and this runs for every configured host.
        let text = Substring(authority)
        let bytes = text.utf8
        var start = bytes.endIndex
        var count = 0
        while start > bytes.startIndex, (0x30...0x39).contains(bytes[bytes.index(before: start)]) {
            start = bytes.index(before: start)
            count += 1
        }
        var hostText = text
        var port: Int?
        if start > bytes.startIndex, bytes[bytes.index(before: start)] == UInt8(ascii: ":") {
            let number = count <= 5 ? bytes[start...].reduce(0) { $0 * 10 + Int($1 - 0x30) } : 0
            guard (1...65535).contains(number) else { return nil }
            port = number
            hostText = text[..<bytes.index(before: start)]
        }
        // A bare IPv6 address cannot be told from host:port: it wants its brackets here.
        guard hostText.utf8.first == UInt8(ascii: "[") || !hostText.utf8.contains(UInt8(ascii: ":")),
            let host = Host(hostText)
        else { return nil }
        return (host, port)
    }

    /// RFC 3986 section 3.1.
    static func normalized(scheme: some StringProtocol) -> String? {
        let scheme = String(scheme)
        if scheme == "https" || scheme == "http" { return scheme }
        let lower = scheme.lowercased()
        guard let first = lower.utf8.first, (0x61...0x7A).contains(first) else { return nil }
        let isSchemeByte: (UInt8) -> Bool = {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
        }
        return lower.utf8.allSatisfy(isSchemeByte) ? lower : nil
    }

    package static func defaultPort(of scheme: String) -> Int? {
        switch scheme {
        case "https": 443
        case "http": 80
        default: nil
        }
    }

    /// `host[:port]`, the port only when it is not the scheme's default.
    package var authority: String {
        Self.defaultPort(of: scheme) == port ? host.urlSpelling : "\(host.urlSpelling):\(port)"
    }

    /// https, or http on loopback: the only origins that may see a token or a code.
    package var isTrustworthy: Bool {
        scheme == "https" || (scheme == "http" && host.isLoopback)
    }
}

extension Origin: CustomStringConvertible {
    package var description: String { "\(scheme)://\(authority)" }
}
