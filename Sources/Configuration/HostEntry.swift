import WebAddress

/// A host that is served from a login: the group `[host LABEL]`.
package struct HostEntry: Sendable, Equatable {
    /// Which token the host gets.
    package enum TokenKind: String, Sendable, CaseIterable {
        case access
        case id
    }

    /// May the login be opened when there is none.
    package enum Interaction: String, Sendable, CaseIterable {
        case auto
        case never
    }

    package var label: String
    /// Compared whole; the label decides nothing.
    package var origin: Origin
    package var profileName = Profile.defaultName
    package var username = "oauth2"
    package var tokenKind = TokenKind.access
    package var audience: String?
    /// RFC 8707.
    package var resource: String?
    /// Seconds; nil: the profile's, or what the protocol wants.
    package var minimumLifetime: Int?
    /// Nil: as the protocol has it, which is auto for git and never for docker.
    package var interactive: Interaction?
    package var allowsInsecure = false
    /// Where the entry stands.
    package var file = ""
    package var line = 0

    package init(label: String, origin: Origin) {
        self.label = label
        self.origin = origin
    }
}

extension HostEntry {
    init(label: String, _ group: GroupReader) throws(ConfigurationError) {
        let url = try group.required(try group.string("url"), "url")
        guard let origin = Self.origin(of: url), origin.scheme == "https" || origin.scheme == "http" else {
            throw group.error("url", expected: "https://HOST or https://HOST:PORT, without a path", found: url)
        }
        self.init(label: label, origin: origin)
        (file, line) = group.place
        allowsInsecure = try group.flag("allow-insecure") ?? false
        if origin.scheme == "http" {
            guard origin.host.isLoopback else {
                throw group.error("url", expected: "https: no token goes over http beyond loopback", found: url)
            }
            guard allowsInsecure else {
                throw group.error("url", "http on loopback needs allow-insecure=true in [\(group.title)]")
            }
        }
        profileName = try group.string("profile") ?? profileName
        username = try group.string("username") ?? username
        tokenKind = try group.choice("token") ?? tokenKind
        audience = try group.string("audience")
        resource = try group.string("resource")
        if let resource, !Self.isAbsoluteURI(resource) {
            throw group.error("resource", expected: "an absolute URI without a fragment", found: resource)
        }
        minimumLifetime = try group.seconds("min-lifetime", in: 0...315_360_000)
        interactive = try group.choice("interactive")
    }

    static let keys: Set<String> = [
        "url", "profile", "username", "token", "audience", "resource", "min-lifetime", "interactive", "allow-insecure",
    ]

    /// The origin that a `url` value spells, with or without one slash behind it; nil for anything more or less.
    static func origin(of url: String) -> Origin? {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            return nil
        }
        var authority = url[bytes.index(colon, offsetBy: 3)...]
        if authority.utf8.last == UInt8(ascii: "/") { authority.removeLast() }
        return Origin(scheme: url[..<colon], authority: authority)
    }

    /// The origin's text for a `url` value; nil when it spells none.
    ///
    /// A file may hold a thousand of them, and nearly all spell the origin as it would be written back: those are
    /// looked at, not parsed.
    static func originText(of url: ArraySlice<UInt8>) -> String? {
        let text = url.last == UInt8(ascii: "/") ? url.dropLast() : url
        if isOriginText(text) { return String(decoding: text, as: UTF8.self) }
        return origin(of: String(decoding: url, as: UTF8.self))?.description
    }

    /// Whether this is `https://`, a lower-case name and, where it is not 443, a port.
    private static func isOriginText(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count <= 253, text.starts(with: "https://".utf8) else { return false }
        var label = 0
        for index in (text.startIndex + 8)..<text.endIndex {
            switch text[index] {
            case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"): label += 1
            case UInt8(ascii: ".") where label > 0: label = 0
            case UInt8(ascii: ":") where label > 0: return isPortText(text[(index + 1)...])
            default: return false
            }
            guard label <= 63 else { return false }
        }
        return label > 0
    }

    private static func isPortText(_ text: ArraySlice<UInt8>) -> Bool {
        guard (1...5).contains(text.count), text.first != 0x30, text.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return false
        }
        let number = text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return number <= 65535 && number != 443
    }

    /// RFC 8707 section 2.
    private static func isAbsoluteURI(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), let first = text.utf8.first,
            text.index(after: colon) < text.endIndex
        else { return false }
        let isLetter = (0x41...0x5A).contains(first) || (0x61...0x7A).contains(first)
        return isLetter && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
            && text[..<colon].utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    }
}
