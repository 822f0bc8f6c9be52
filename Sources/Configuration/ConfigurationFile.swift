import Glibc

/// One file of the configuration, cut into its groups but not yet parsed.
///
/// The cut gives what GKeyFile does not: line numbers, repeated groups, and the origins of a thousand hosts without
/// parsing their entries. A group's keys and values are GKeyFile's, and only when somebody asks for that group.
struct ConfigurationFile: Sendable {
    enum Kind: Sendable, Hashable {
        case profile
        case host
        case defaults
        /// A group that we do not know.
        case other
    }

    struct Section: Sendable {
        var kind: Kind
        /// What stands after `profile` or `host`; the whole title of another group.
        var name: String
        /// Of the header.
        var line: Int
        /// From the header's first byte to the next header's.
        var range: Range<Int>
        /// The value of a host's first `url` line.
        var url: Range<Int>?
        var urlLine = 0

        var title: String {
            switch kind {
            case .profile: "profile \(name)"
            case .host: "host \(name)"
            case .defaults, .other: name
            }
        }
    }

    let path: String
    let bytes: [UInt8]
    private(set) var sections: [Section] = []
    private var profiles: [String: Int] = [:]
    private var hosts: [String: Int] = [:]
    private var defaults: Int?

    /// Cuts a file.
    ///
    /// - Throws: ``ConfigurationError`` `.malformed` or `.ambiguous`.
    init(path: String, bytes: [UInt8]) throws(ConfigurationError) {
        self.path = path
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw ConfigurationError(
                .malformed, file: path, line: 1, "starts with a byte order mark; save it as UTF-8 without one")
        }
        for line in ConfigurationLines(bytes: bytes, range: bytes.indices) {
            if let fault = line.fault { throw ConfigurationError(.malformed, file: path, line: line.number, fault) }
            switch bytes[safe: line.text.lowerBound, below: line.text.upperBound] {
            case nil, UInt8(ascii: "#"): break
            case UInt8(ascii: "["): try open(line)
            default: try note(line)
            }
        }
        closeLast(at: bytes.count)
    }

    private mutating func open(_ line: ConfigurationLines.Line) throws(ConfigurationError) {
        let inner = bytes[line.text].dropFirst().dropLast()
        guard line.text.count > 2, bytes[line.text.upperBound - 1] == UInt8(ascii: "]"),
            !inner.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") })
        else {
            throw ConfigurationError(.malformed, file: path, line: line.number, "is not a group header like [host git]")
        }
        closeLast(at: line.start)
        let section = Self.section(titled: inner, line: line)
        let earlier =
            switch section.kind {
            case .profile: profiles.updateValue(sections.count, forKey: section.name)
            case .host: hosts.updateValue(sections.count, forKey: section.name)
            case .defaults: replaceDefaults(sections.count)
            case .other: nil as Int?
            }
        if let earlier {
            throw ConfigurationError(
                .ambiguous, file: path, line: line.number,
                "repeats the group [\(section.title)] of line \(sections[earlier].line)")
        }
        sections.append(section)
    }

    private mutating func replaceDefaults(_ index: Int) -> Int? {
        defer { defaults = index }
        return defaults
    }

    private static func section(titled title: ArraySlice<UInt8>, line: ConfigurationLines.Line) -> Section {
        let range = line.start..<line.start
        if let name = word(of: title, behind: "profile ") {
            return Section(kind: .profile, name: name, line: line.number, range: range)
        }
        if let name = word(of: title, behind: "host ") {
            return Section(kind: .host, name: name, line: line.number, range: range)
        }
        let name = String(decoding: title, as: UTF8.self)
        return Section(kind: name == "defaults" ? .defaults : .other, name: name, line: line.number, range: range)
    }

    /// The one word behind a group's kind; nil when the kind is another, or there is no word or more than one.
    private static func word(of title: ArraySlice<UInt8>, behind kind: StaticString) -> String? {
        guard title.starts(with: UnsafeBufferPointer(start: kind.utf8Start, count: kind.utf8CodeUnitCount)) else {
            return nil
        }
        var word = title.dropFirst(kind.utf8CodeUnitCount)
        while word.first == 0x20 { word.removeFirst() }
        while word.last == 0x20 { word.removeLast() }
        return word.isEmpty || word.contains(0x20) ? nil : String(decoding: word, as: UTF8.self)
    }

    private mutating func note(_ line: ConfigurationLines.Line) throws(ConfigurationError) {
        guard let last = sections.indices.last else {
            throw ConfigurationError(.malformed, file: path, line: line.number, "stands before the first group")
        }
        guard sections[last].kind == .host, sections[last].url == nil, let (key, value) = line.split(bytes),
            bytes[key].elementsEqual("url".utf8)
        else { return }
        sections[last].url = value
        sections[last].urlLine = line.number
    }

    private mutating func closeLast(at end: Int) {
        guard let last = sections.indices.last else { return }
        sections[last].range = sections[last].range.lowerBound..<end
    }

    func section(_ kind: Kind, _ name: String) -> Section? {
        switch kind {
        case .profile: profiles[name].map { sections[$0] }
        case .host: hosts[name].map { sections[$0] }
        case .defaults: defaults.map { sections[$0] }
        case .other: nil
        }
    }

    /// The lines of a section, its header first.
    func lines(of section: Section) -> ConfigurationLines {
        ConfigurationLines(bytes: bytes, range: section.range, firstNumber: section.line)
    }
}

extension [UInt8] {
    /// The byte at `index`; nil when it is not below `end`.
    fileprivate subscript(safe index: Int, below end: Int) -> UInt8? {
        index < end ? self[index] : nil
    }
}
