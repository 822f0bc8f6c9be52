/// The keys of one group through all files that have it: the nearest file's value counts, key by key.
struct GroupReader {
    private struct Part {
        var file: ConfigurationFile
        var section: ConfigurationFile.Section
        var values: KeyFile
        /// The line of each key.
        var lines: [String: Int]
    }

    private(set) var title: String
    /// In the order of the files, each once.
    private(set) var keys: [String] = []
    private var parts: [Part] = []

    /// - Throws: ``ConfigurationError`` `.malformed` or `.ambiguous` (a repeated key).
    init(
        _ kind: ConfigurationFile.Kind, _ name: String, in files: [ConfigurationFile]
    ) throws(ConfigurationError) {
        title = name
        for file in files {
            guard let section = file.section(kind, name) else { continue }
            title = section.title
            try add(section, of: file)
        }
    }

    private mutating func add(_ section: ConfigurationFile.Section, of file: ConfigurationFile)
        throws(ConfigurationError)
    {
        var own: [String: Int] = [:]
        for line in file.lines(of: section).dropFirst() {
            guard let first = file.bytes[line.text].first, first != UInt8(ascii: "#") else { continue }
            guard let (key, _) = line.split(file.bytes) else {
                throw ConfigurationError(
                    .malformed, file: file.path, line: line.number, "[\(section.title)] is not of the form key=value")
            }
            let name = String(decoding: file.bytes[key], as: UTF8.self)
            guard own.updateValue(line.number, forKey: name) == nil else {
                throw ConfigurationError(
                    .ambiguous, file: file.path, line: line.number, "[\(section.title)] repeats the key \(quote(name))")
            }
            if !parts.contains(where: { $0.lines[name] != nil }) { keys.append(name) }
        }
        guard let values = KeyFile(text: file.bytes[section.range]) else {
            throw ConfigurationError(
                .malformed, file: file.path, line: section.line, "[\(section.title)] holds a key that is no key's name")
        }
        parts.append(Part(file: file, section: section, values: values, lines: own))
    }

    var exists: Bool { !parts.isEmpty }

    /// The nearest file that has the group, and the header's line there.
    var place: (file: String, line: Int) {
        parts.first.map { ($0.file.path, $0.section.line) } ?? ("", 0)
    }

    // MARK: Values

    /// A text that is not empty.
    func string(_ key: String) throws(ConfigurationError) -> String? {
        guard let part = part(of: key) else { return nil }
        guard let value = part.values.string(key) else { throw error(key, "has a backslash that escapes nothing") }
        let text = Self.trim(value)
        guard !text.isEmpty else { throw error(key, "is empty") }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw error(key, "holds a control character")
        }
        return text
    }

    /// A `;` list of at least one element, none empty, none twice.
    func list(_ key: String) throws(ConfigurationError) -> [String]? {
        guard let part = part(of: key) else { return nil }
        guard let values = part.values.list(key) else { throw error(key, "has a backslash that escapes nothing") }
        guard !values.isEmpty else { throw error(key, "is empty") }
        var result: [String] = []
        for value in values {
            let text = Self.trim(value)
            guard !text.isEmpty else { throw error(key, "has an empty element") }
            guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw error(key, "holds a control character")
            }
            guard !result.contains(text) else { throw error(key, "names \(quote(text)) twice") }
            result.append(text)
        }
        return result
    }

    /// A whole number of seconds.
    func seconds(_ key: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
        guard let text = try string(key) else { return nil }
        guard text.utf8.count <= 10, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            range.contains(number)
        else {
            throw error(key, expected: "seconds, a number from \(range.lowerBound) to \(range.upperBound)", found: text)
        }
        return number
    }

    func flag(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let text = try string(key) else { return nil }
        switch text {
        case "true", "1": return true
        case "false", "0": return false
        default: throw error(key, expected: "true or false", found: text)
        }
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, _: Choice.Type = Choice.self
    ) throws(ConfigurationError) -> Choice? where Choice.RawValue == String {
        guard let text = try string(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw error(key, expected: Choice.allCases.map(\.rawValue).joined(separator: ", "), found: text)
        }
        return choice
    }

    func required<Value>(_ value: Value?, _ key: String) throws(ConfigurationError) -> Value {
        if let value { return value }
        throw ConfigurationError(
            .missingKey, file: place.file, line: place.line, "[\(title)] has no \(key), which it needs")
    }

    // MARK: Errors

    func error(_ key: String, expected: String, found: String) -> ConfigurationError {
        error(key, "expected \(expected), found \(quote(found))")
    }

    func error(_ key: String, _ text: String) -> ConfigurationError {
        let place = place(of: key)
        return ConfigurationError(
            .invalidValue, file: place.file, line: place.line, "[\(title)] \(key): \(text)")
    }

    /// Where a key stands; where the group does when it has no such key.
    func place(of key: String) -> (file: String, line: Int) {
        guard let part = part(of: key), let line = part.lines[key] else { return place }
        return (part.file.path, line)
    }

    private func part(of key: String) -> Part? { parts.first { $0.lines[key] != nil } }

    /// GKeyFile keeps the blanks at a value's end.
    private static func trim(_ text: String) -> String {
        var rest = Substring(text).utf8
        while let last = rest.last, ConfigurationLines.isBlank(last) { rest.removeLast() }
        while let first = rest.first, ConfigurationLines.isBlank(first) { rest.removeFirst() }
        return rest.count == text.utf8.count ? text : String(Substring(rest))
    }
}
