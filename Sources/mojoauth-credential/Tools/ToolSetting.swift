import Program

/// A setting that makes a tool ask this helper, as lines of the tool's own file.
///
/// The file's language is not parsed. Lines go in only where they mean the same whatever else the file says, and are
/// shown to the person where that cannot be told.
struct ToolSetting {
    /// Where lines outside of a table go.
    enum Place {
        case begin
        case end
    }

    /// What sets one language's files apart.
    struct Language {
        /// What may begin or hide a text that looks like lines of the file.
        var ambiguous: [String]
        /// An indented line belongs to the one before.
        var continuesByIndent = false
        /// A line that ends with a backslash goes on in the next.
        var continuesByBackslash = false

        /// Multi-line strings, and escapes in a quoted key.
        static let toml = Language(ambiguous: ["\"\"\"", "'''", "\\u", "\\U"])
        static let ini = Language(ambiguous: [], continuesByIndent: true)
        static let hcl = Language(ambiguous: ["/*", "<<"])
        static let bazelrc = Language(ambiguous: [], continuesByBackslash: true)
    }

    var file: PersonalFile
    var language: Language
    /// `mojoauth-credential unconfigure cargo`.
    var undo: String
    /// `registry`: the lines stand below `[registry]`; nil when they stand in no table.
    var table: String?
    var place = Place.end
    var lines: [String]
    /// Words by which the file sets the same itself.
    var rivals: [String]

    enum Change: Equatable {
        case none
        case written
        /// Nothing was written, because of this.
        case refused(String)
    }

    /// With their table, for a person who adds them by hand.
    var shownLines: [String] { (table.map { ["[\($0)]"] } ?? []) + lines }

    /// - Throws: ``Complaint`` for a file that is damaged or not the person's; it is left as it is.
    func write() throws(Complaint) -> Change {
        guard let bytes = try file.read() else { return try writeAlone() }
        guard let block = try block(in: bytes) else { return try insert(into: bytes) }
        if block.lines == lines || block.lines == shownLines { return .none }
        let rest = block.removed(from: bytes)
        return block.madeFile && rest.isEmpty ? try writeAlone() : try insert(into: rest)
    }

    /// A file of our own.
    private func writeAlone() throws(Complaint) -> Change {
        try file.write(Array((SettingBlock.text(shownLines, undo: undo, madeFile: true) + "\n").utf8))
        return .written
    }

    /// - Returns: whether there was something to take away.
    func remove() throws(Complaint) -> Bool {
        guard let bytes = try file.read(), let block = try block(in: bytes) else { return false }
        let rest = block.removed(from: bytes)
        if rest.isEmpty, block.madeFile { try file.remove() } else { try file.write(rest) }
        return true
    }

    /// The lines of ours that the file has, in a block or as a person put them in; nil when it has none, or cannot be
    /// read.
    var found: [String]? {
        guard let bytes = (try? file.read()) ?? nil else { return nil }
        return (try? block(in: bytes))??.lines ?? (isThere(in: Self.spoken(bytes)) ? lines : nil)
    }

    /// Has a person added the lines by hand, as they were shown?
    private func isThere(in spoken: [String]) -> Bool {
        !lines.isEmpty && lines.allSatisfy(spoken.contains)
    }

    /// The lines of a file that are no comment.
    private static func spoken(_ bytes: [UInt8]) -> [String] {
        SettingBlock.rows(of: bytes).map(\.text).filter { !$0.drop { $0 == " " || $0 == "\t" }.hasPrefix("#") }
    }

    private func block(in bytes: [UInt8]) throws(Complaint) -> SettingBlock? {
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
            throw damaged("is no UTF-8 text")
        }
        do throws(SettingBlock.Damage) {
            return try SettingBlock.find(in: bytes)
        } catch {
            throw damaged("has half a block of lines of mojoauth-credential, or several")
        }
    }

    private func damaged(_ what: String) -> Complaint {
        Complaint("\(file.path) \(what)", hint: "mend the file; it was not changed", exitCode: .configuration)
    }

    // MARK: Where

    private enum Spot {
        /// In front of this byte, with or without the table's own line.
        case at(Int, [String])
        case nowhere(String)
        /// They are there.
        case done
    }

    private func insert(into bytes: [UInt8]) throws(Complaint) -> Change {
        switch spot(in: bytes) {
        case .at(let index, let lines):
            try file.write(SettingBlock.inserting(lines, undo: undo, into: bytes, at: index))
            return .written
        case .nowhere(let reason): return .refused(reason)
        case .done: return .none
        }
    }

    private func spot(in bytes: [UInt8]) -> Spot {
        let rows = SettingBlock.rows(of: bytes)
        let spoken = Self.spoken(bytes)
        if isThere(in: spoken) { return .done }
        if let rival = rivals.first(where: { word in spoken.contains { $0.contains(word) } }) {
            return .nowhere("it has \(rival) of its own")
        }
        if place == .begin {
            return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? .nowhere("it begins with a byte order mark") : .at(0, lines)
        }
        if language.ambiguous.contains(where: { mark in spoken.contains { $0.contains(mark) } }) {
            return .nowhere("it is written in a way that only the tool itself reads safely")
        }
        if language.continuesByBackslash, rows.last?.text.hasSuffix("\\") ?? false {
            return .nowhere("its last line goes on behind its end")
        }
        guard let table else { return .at(bytes.count, lines) }
        let headers = rows.indices.filter { rows[$0].text == "[\(table)]" }
        if headers.count == 1 {
            return behind(rows[headers[0]].range.upperBound, rows[(headers[0] + 1)...].first?.text, bytes)
        }
        guard !spoken.contains(where: { $0.contains(table) }) else {
            return .nowhere("it has something named \(table) in another form than a line [\(table)]")
        }
        return .at(bytes.count, shownLines)
    }

    private func behind(_ end: Int, _ next: String?, _ bytes: [UInt8]) -> Spot {
        if language.continuesByIndent, let first = next?.first, first == " " || first == "\t" {
            return .nowhere("the line behind [\(table ?? "")] is indented")
        }
        return .at(min(end + 1, bytes.count), lines)
    }
}
