/// The lines of a key file, numbered, without the blanks around them.
struct ConfigurationLines: Sequence, IteratorProtocol {
    struct Line {
        /// Counted from 1.
        var number: Int
        /// Offset of the line's first byte.
        var start: Int
        /// Offset behind the LF, or the end of the file.
        var end: Int
        /// What is left between blanks; a CR at the end counts as one.
        var text: Range<Int>
        /// Why the line can be in no text file.
        var fault: String?

        /// Key and value around the first `=`, without the blanks next to it; nil when there is none or no key.
        func split(_ bytes: [UInt8]) -> (key: Range<Int>, value: Range<Int>)? {
            var equals = text.lowerBound
            while equals < text.upperBound, bytes[equals] != UInt8(ascii: "=") { equals += 1 }
            guard equals < text.upperBound else { return nil }
            var keyEnd = equals
            while keyEnd > text.lowerBound, ConfigurationLines.isBlank(bytes[keyEnd - 1]) { keyEnd -= 1 }
            guard keyEnd > text.lowerBound else { return nil }
            var valueStart = equals + 1
            while valueStart < text.upperBound, ConfigurationLines.isBlank(bytes[valueStart]) { valueStart += 1 }
            return (text.lowerBound..<keyEnd, valueStart..<text.upperBound)
        }
    }

    private let bytes: [UInt8]
    private let end: Int
    private var position: Int
    private var number: Int

    init(bytes: [UInt8], range: Range<Int>, firstNumber: Int = 1) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
        number = firstNumber
    }

    mutating func next() -> Line? {
        guard position < end else { return nil }
        let start = position
        var seen: UInt8 = 0
        var hasNUL = false
        while position < end, bytes[position] != 0x0A {
            seen |= bytes[position]
            if bytes[position] == 0 { hasNUL = true }
            position += 1
        }
        var first = start
        var last = position
        while last > first, Self.isBlank(bytes[last - 1]) { last -= 1 }
        while first < last, Self.isBlank(bytes[first]) { first += 1 }
        var line = Line(number: number, start: start, end: Swift.min(position + 1, end), text: first..<last)
        if hasNUL {
            line.fault = "holds a NUL byte"
        } else if seen >= 0x80, String(validating: bytes[start..<position], as: UTF8.self) == nil {
            line.fault = "is not UTF-8"
        }
        position += 1
        number += 1
        return line
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
