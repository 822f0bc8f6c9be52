import CGLib

/// The text of a configuration file while it is edited, line by line.
struct ConfigurationText {
    private let path: String
    private(set) var bytes: [UInt8]
    private var file: ConfigurationFile

    init(_ file: ConfigurationFile) {
        self.file = file
        path = file.path
        bytes = file.bytes
    }

    /// - Throws: ``ConfigurationError`` `.invalidValue` for a name or value that no key file can hold.
    mutating func set(
        _ settings: [ConfigurationWriter.Setting], in group: ConfigurationWriter.Group
    ) throws(ConfigurationError) {
        let (kind, name) = Self.names(group)
        if file.section(kind, name) == nil { try append(kind, name) }
        for setting in settings {
            let line = try setting.value.map { (value) throws(ConfigurationError) in
                try Self.line(setting.key, value, path)
            }
            guard let section = file.section(kind, name) else { continue }
            try replace(setting.key, by: line, comment: setting.comment, in: section)
        }
    }

    /// Returns whether there was such a group. Comments above the next group stay, since they are about that one.
    mutating func remove(_ group: ConfigurationWriter.Group) -> Bool {
        let (kind, name) = Self.names(group)
        guard let section = file.section(kind, name) else { return false }
        var end = section.range.lowerBound
        for line in file.lines(of: section) where isEntry(line) { end = line.end }
        let isLast = section.range.upperBound == bytes.count
        // The blank line behind the group goes with it.
        if !isLast, end < section.range.upperBound, bytes[end] == 0x0A { end += 1 }
        bytes.removeSubrange(section.range.lowerBound..<end)
        return true
    }

    private func isEntry(_ line: ConfigurationLines.Line) -> Bool {
        bytes[line.text].first.map { $0 != UInt8(ascii: "#") } ?? false
    }

    private static func names(_ group: ConfigurationWriter.Group) -> (ConfigurationFile.Kind, String) {
        switch group {
        case .profile(let name): (.profile, name)
        case .host(let label): (.host, label)
        case .defaults: (.defaults, "defaults")
        }
    }

    private mutating func append(_ kind: ConfigurationFile.Kind, _ name: String) throws(ConfigurationError) {
        let title =
            switch kind {
            case .profile: "profile \(name)"
            case .host: "host \(name)"
            case .defaults, .other: name
            }
        guard !name.isEmpty, !name.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == 0x5B || $0 == 0x5D }) else {
            throw ConfigurationError(
                .invalidValue, file: path, "\(quote(name)) cannot be a group's name: one word without brackets")
        }
        if bytes.last.map({ $0 != 0x0A }) ?? false { bytes.append(0x0A) }
        if !bytes.isEmpty { bytes.append(0x0A) }
        bytes += Array("[\(title)]\n".utf8)
        file = try ConfigurationFile(path: path, bytes: bytes)
    }

    private mutating func replace(
        _ key: String, by line: [UInt8]?, comment: String?, in section: ConfigurationFile.Section
    ) throws(ConfigurationError) {
        var lastEntry = section.range.lowerBound
        var old: Range<Int>?
        for current in file.lines(of: section) where isEntry(current) {
            lastEntry = current.end
            guard current.number != section.line, let (name, _) = current.split(bytes) else { continue }
            if bytes[name].elementsEqual(key.utf8) { old = current.start..<current.end }
        }
        if let old {
            bytes.replaceSubrange(old, with: line ?? [])
        } else if let line {
            if lastEntry > 0, bytes[lastEntry - 1] != 0x0A {
                bytes.insert(0x0A, at: lastEntry)
                lastEntry += 1
            }
            bytes.insert(contentsOf: Self.lines(comment) + line, at: lastEntry)
        }
        file = try ConfigurationFile(path: path, bytes: bytes)
    }

    private static func lines(_ comment: String?) -> [UInt8] {
        guard let comment else { return [] }
        // Whatever stands in it, it ends with its line.
        return Array(
            "# \(String(comment.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init)))\n"
                .utf8)
    }

    /// `KEY=VALUE` and LF, escaped as GKeyFile wants it.
    private static func line(
        _ key: String, _ value: ConfigurationWriter.Value, _ path: String
    ) throws(ConfigurationError) -> [UInt8] {
        let parts: [String] =
            switch value {
            case .text(let text): [text]
            case .list(let elements): elements
            }
        let isKey = !key.isEmpty && key.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"=[]#".utf8.contains($0) }
        guard isKey, parts.allSatisfy({ !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) else {
            throw ConfigurationError(
                .invalidValue, file: path, "\(quote(key)): a key or value with a character that the file cannot hold")
        }
        let text: String =
            switch value {
            case .text(let text): escape(text)
            case .list(let elements): elements.map(escapeElement).joined(separator: ";")
            }
        return Array("\(key)=\(text)\n".utf8)
    }

    /// The same of one in a list.
    private static func escapeElement(_ text: String) -> String {
        escape(text).split(separator: ";", omittingEmptySubsequences: false).joined(separator: "\\;")
    }

    /// The raw form of a value, as GKeyFile writes it.
    private static func escape(_ text: String) -> String {
        let file = g_key_file_new()
        defer { g_key_file_unref(file) }
        g_key_file_set_string(file, "group", "key", text)
        guard let escaped = g_key_file_get_value(file, "group", "key", nil) else { return text }
        defer { g_free(escaped) }
        return String(cString: escaped)
    }
}
