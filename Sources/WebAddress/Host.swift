import CGLib
import Glibc

/// The host of a web address in one comparable form: a lower-case A-label name (RFC 5890) or an IP address literal.
package struct Host: Sendable, Hashable {
    /// Lower case, A-labels; an IPv6 address without brackets in its shortest form. A trailing dot is kept, so that
    /// `example.com.` never equals `example.com`.
    package let name: String

    /// Takes a host as a URL spells it; nil for what is no host: empty, a control or reserved character, a percent
    /// sign, an address literal that is none.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        if Self.isPlain(text) {
            self.init(plain: text)
        } else if text.hasPrefix("[") || text.hasSuffix("]") {
            guard text.hasPrefix("["), text.hasSuffix("]"), text.contains(":") else { return nil }
            self.init(ipv6: String(text.dropFirst().dropLast()))
        } else if text.contains(":") {
            self.init(ipv6: text)
        } else {
            self.init(registeredName: text)
        }
    }

    private init(plain name: String) {
        self.name = name
    }

    /// Whether a name is in its one form already. Nearly every one is, and a configuration may hold a thousand.
    private static func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard (1...253).contains(bytes.count) else { return false }
            var label = 0
            for byte in bytes {
                if byte == UInt8(ascii: ".") {
                    guard label > 0 else { return false }
                    label = 0
                } else {
                    label += 1
                    guard isNameByte(byte), label <= 63 else { return false }
                }
            }
            return label > 0
        }
    }

    private init?(ipv6 text: String) {
        guard !text.utf8.contains(0) else { return nil }
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        let spelled = [CChar](unsafeUninitializedCapacity: Int(INET6_ADDRSTRLEN)) { buffer, count in
            let end = inet_ntop(AF_INET6, &address, buffer.baseAddress, socklen_t(INET6_ADDRSTRLEN))
            count = end.map { strlen($0) } ?? 0
        }
        name = String(decoding: spelled.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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

    package var isIPv6: Bool { name.utf8.contains(UInt8(ascii: ":")) }

    /// 127.0.0.0/8, ::1 and the name `localhost`; a name is not resolved.
    package var isLoopback: Bool {
        if name == "localhost" || name == "::1" { return true }
        guard name.utf8.starts(with: "127.".utf8) else { return false }
        var address = in_addr()
        return inet_pton(AF_INET, name, &address) == 1
    }

    /// As a URL spells it: IPv6 in brackets.
    package var urlSpelling: String { isIPv6 ? "[\(name)]" : name }
}
