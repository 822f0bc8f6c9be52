/// Lines of ours in a text file of another tool's, between two lines of comment. Every other byte stays as it is.
///
/// Of the file nothing but these two lines is understood; where the block goes in is for its caller to know.
struct SettingBlock {
    /// What stands between the two comments.
    let lines: [String]
    /// The file was not there before.
    let madeFile: Bool
    /// With the two comments, and with the line feed that came in with it.
    fileprivate let range: Range<Int>

    /// More than one block, or half of one.
    struct Damage: Error {}

    private static let opening = "# >>> mojoauth-credential"
    private static let closing = "# <<< mojoauth-credential"
    private static let made = " made this file"

    private static let lineFeed = UInt8(ascii: "\n")

    /// - Parameter undo: the command that takes the block away, as the comment tells it.
    static func text(_ lines: [String], undo: String, madeFile: Bool) -> String {
        let first = "\(opening)\(madeFile ? made : "") (undo: \(undo))"
        return ([first] + lines + [closing]).joined(separator: "\n")
    }

    /// The block of a file; nil when it has none.
    static func find(in bytes: [UInt8]) throws(Damage) -> SettingBlock? {
        let rows = rows(of: bytes)
        let openings = rows.indices.filter { rows[$0].text.hasPrefix(opening) }
        let closings = rows.indices.filter { rows[$0].text.hasPrefix(closing) }
        if openings.isEmpty, closings.isEmpty { return nil }
        guard openings.count == 1, closings.count == 1, openings[0] < closings[0] else { throw Damage() }
        let (first, last) = (openings[0], closings[0])
        var range = rows[first].range.lowerBound..<rows[last].range.upperBound
        if range.upperBound < bytes.count {
            range = range.lowerBound..<(range.upperBound + 1)
        } else if range.lowerBound > 0 {
            // A file whose last line had no end got one together with the block, and the block has none.
            range = (range.lowerBound - 1)..<range.upperBound
        }
        return SettingBlock(
            lines: rows[(first + 1)..<last].map(\.text), madeFile: rows[first].text.hasPrefix(opening + made),
            range: range)
    }

    /// The file without the block.
    func removed(from bytes: [UInt8]) -> [UInt8] {
        Array(bytes[..<range.lowerBound] + bytes[range.upperBound...])
    }

    /// The file with a block of these lines in front of the line that begins at `index`, or at its end.
    static func inserting(_ lines: [String], undo: String, into bytes: [UInt8], at index: Int) -> [UInt8] {
        let block = Array(text(lines, undo: undo, madeFile: false).utf8)
        let isOpenEnd = index == bytes.count && !bytes.isEmpty && bytes.last != lineFeed
        return isOpenEnd ? bytes + [lineFeed] + block : bytes[..<index] + block + [lineFeed] + bytes[index...]
    }

    /// The lines of a file, without their ends, and where each lies.
    static func rows(of bytes: [UInt8]) -> [(text: String, range: Range<Int>)] {
        var rows: [(text: String, range: Range<Int>)] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: lineFeed) ?? bytes.count
            var text = bytes[start..<end]
            if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
            rows.append((String(decoding: text, as: UTF8.self), start..<end))
            start = end + 1
        }
        return rows
    }
}
