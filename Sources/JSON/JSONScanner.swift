/// Finds where the members of an object stand in a text that is known to be JSON.
struct JSONScanner {
    struct Member {
        /// With its quotation marks.
        var name: Range<Int>
        var value: Range<Int>

        /// Compared as it is meant, not as it is spelled: `"a"` is `"a"`.
        func isNamed(_ text: String, in bytes: [UInt8]) -> Bool {
            let array = [UInt8(ascii: "[")] + bytes[name] + [UInt8(ascii: "]")]
            return (try? JSONValue(parsing: array))?.array?.first?.string == text
        }
    }

    struct Object {
        /// Offset of the opening brace.
        var open: Int
        var members: [Member] = []

        func member(_ name: String, in bytes: [UInt8]) -> Member? { members.first { $0.isNamed(name, in: bytes) } }

        /// The white space before the last member's name; none without a member.
        func lead(_ bytes: [UInt8]) -> [UInt8] {
            guard let last = members.last else { return [] }
            var start = last.name.lowerBound
            while start > open + 1, JSONScanner.isBlank(bytes[start - 1]) { start -= 1 }
            return Array(bytes[start..<last.name.lowerBound])
        }
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The object whose opening brace stands at an offset.
    func object(at open: Int) -> Object {
        var scanner = self
        scanner.position = open + 1
        var object = Object(open: open)
        scanner.skipBlanks()
        while let byte = scanner.current, byte != UInt8(ascii: "}") {
            let name = scanner.string()
            scanner.skipBlanks()
            // The colon.
            scanner.position += 1
            scanner.skipBlanks()
            object.members.append(Member(name: name, value: scanner.value()))
            scanner.skipBlanks()
            if scanner.current == UInt8(ascii: ",") { scanner.position += 1 }
            scanner.skipBlanks()
        }
        return object
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private mutating func skipBlanks() {
        while let byte = current, Self.isBlank(byte) { position += 1 }
    }

    private mutating func string() -> Range<Int> {
        let start = position
        position += 1
        while let byte = current, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
        position = min(position + 1, bytes.count)
        return start..<position
    }

    private mutating func value() -> Range<Int> {
        let start = position
        var depth = 0
        repeat {
            switch current {
            case UInt8(ascii: "\""):
                _ = string()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            position += 1
        } while position < bytes.count && (depth > 0 || !isEnd)
        return start..<position
    }

    /// Does the value that was read end here? A number or word ends before what cannot be in one.
    private var isEnd: Bool {
        guard let byte = current else { return true }
        return Self.isBlank(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }
}
