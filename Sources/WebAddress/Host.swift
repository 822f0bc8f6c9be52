import CGLib

/// The host of a web address in one comparable form: a lower-case A-label name (RFC 5890) or an IP address literal.
package struct Host: Sendable, Hashable {
    /// Lower case, A-labels; an IPv6 address without brackets in its shortest form. A trailing dot is kept, so that
    /// `example.com.` never equals `example.com`.
    package let name: String

    /// Takes a host as a URL spells it; nil for what is no host: empty, a control or reserved character, a percent
    /// sign, an address literal that is none.
    package init?(_ text: some StringProtocol) {
        if text.hasPrefix("[") || text.hasSuffix("]") {
            guard text.hasPrefix("["), text.hasSuffix("]"), text.contains(":") else { return nil }
            self.init(ipv6: String(text.dropFirst().dropLast()))
        } else if text.contains(":") {
            self.init(ipv6: String(text))
        } else {
            self.init(registeredName: String(text))
        }
    }

    private init?(ipv6 text: String) {
        guard let address = g_inet_address_new_from_string(text) else { return nil }
        defer { g_object_unref(address) }
        guard let spelled = g_inet_address_to_string(address) else { return nil }
        defer { g_free(spelled) }
        name = String(cString: spelled)
    }

    private init?(registeredName text: String) {
        guard !text.isEmpty, text.utf8.count <= 253, !text.unicodeScalars.contains(where: Self.isForbidden) else {
            return nil
        }
        guard let ascii = g_hostname_to_ascii(text) else { return nil }
        defer { g_free(ascii) }
        let label = String(cString: ascii)
        guard !label.isEmpty, label.utf8.allSatisfy(Self.isNameByte) else { return nil }
        name = label
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value <= 0x20 || scalar.value == 0x7F || scalar == "%" || scalar == "/" || scalar == "@"
            || scalar == "\\"
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    package var isIPv6: Bool { name.contains(":") }

    /// 127.0.0.0/8, ::1 and the name `localhost`; a name is not resolved.
    package var isLoopback: Bool {
        if name == "localhost" { return true }
        guard let address = g_inet_address_new_from_string(name) else { return false }
        defer { g_object_unref(address) }
        return g_inet_address_get_is_loopback(address) != 0
    }

    /// As a URL spells it: IPv6 in brackets.
    package var urlSpelling: String { isIPv6 ? "[\(name)]" : name }
}
