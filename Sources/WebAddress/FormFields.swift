/// Name and value pairs in their order, and their `application/x-www-form-urlencoded` form.
package struct FormFields: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package init(_ pairs: KeyValuePairs<String, String>) {
        fields = pairs.map { Field(name: $0.key, value: $0.value) }
    }

    package var isEmpty: Bool { fields.isEmpty }

    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Appends when there is a value.
    package mutating func append(_ name: String, _ value: String?) {
        if let value { append(name, value) }
    }

    /// Puts a value in the place of all that the name has.
    package mutating func set(_ name: String, _ value: String) {
        fields.removeAll { $0.name == name }
        append(name, value)
    }

    /// The first value of a name.
    package subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// A name that stands more than once (RFC 6749 section 3.1 forbids it); nil when there is none.
    package var repeatedName: String? {
        var seen: Set<String> = []
        return fields.first { !seen.insert($0.name).inserted }?.name
    }

    /// `a=b&c=d`: a space becomes a plus sign, all but letters, digits and `*-._` percent-encoded.
    package var encoded: String {
        fields.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }.joined(separator: "&")
    }

    /// One name or value encoded.
    package static func encode(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var out: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2A, 0x2D, 0x2E, 0x5F: out.append(byte)
            case 0x20: out.append(0x2B)
            default: out += [0x25, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Parses a raw query or form body; nil for a broken percent escape, a NUL, or bytes that are not UTF-8.
    package init?(parsing text: some StringProtocol) {
        for pair in Array(text.utf8).split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(halves[0]), let value = Self.decode(halves.count > 1 ? halves[1] : []) else {
                return nil
            }
            append(name, value)
        }
    }

    /// One name or value decoded; plus and `%20` both read as a space.
    package static func decode(_ text: String) -> String? { decode(ArraySlice(text.utf8)) }

    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        guard let bytes = percentDecode(text.map { $0 == 0x2B ? 0x20 : $0 }) else { return nil }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// Undoes percent escapes; nil for a broken one.
    package static func percentDecode(_ bytes: [UInt8]) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25 {
                guard index + 2 < bytes.count, let high = hexValue(bytes[index + 1]),
                    let low = hexValue(bytes[index + 2])
                else { return nil }
                out.append(high << 4 | low)
                index += 3
            } else {
                out.append(bytes[index])
                index += 1
            }
        }
        return out
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
