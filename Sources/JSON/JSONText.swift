/// The text of a JSON object in which single members are changed. Every other byte stays as it is: white space, order,
/// numbers as they were written.
package struct JSONText: Sendable {
    package private(set) var bytes: [UInt8]

    /// - Throws: ``JSONError`` for what ``JSONValue`` would not parse, or is no object.
    package init(_ bytes: [UInt8]) throws(JSONError) {
        guard case .object = try JSONValue(parsing: bytes) else { throw JSONError(.notContainer) }
        self.bytes = bytes
    }

    /// Sets a member of the object that is the member `outer` of the whole; each is made where it is missing, at the
    /// end, laid out as its neighbours are.
    ///
    /// - Throws: ``JSONError`` `.notContainer` when `outer` is no object.
    package mutating func set(_ outer: String, _ inner: String, to value: String) throws(JSONError) {
        let whole = JSONScanner(bytes).object(at: start)
        guard let holder = whole.member(outer, in: bytes) else {
            return insert(outer, try Self.fresh(inner, value, lead: whole.lead(bytes)), into: whole)
        }
        let object = try object(holder)
        if let member = object.member(inner, in: bytes) {
            bytes.replaceSubrange(member.value, with: try Self.quote(value))
        } else {
            insert(inner, try Self.quote(value), into: object)
        }
    }

    /// Removes a member of the object that is the member `outer` of the whole, and that one too when it is empty then.
    ///
    /// - Returns: whether there was one.
    package mutating func remove(_ outer: String, _ inner: String) throws(JSONError) -> Bool {
        let whole = JSONScanner(bytes).object(at: start)
        guard let holder = whole.member(outer, in: bytes) else { return false }
        let object = try object(holder)
        guard object.member(inner, in: bytes) != nil else { return false }
        if object.members.count == 1 {
            remove(outer, from: whole)
        } else {
            remove(inner, from: object)
        }
        return true
    }

    private var start: Int { bytes.firstIndex(of: UInt8(ascii: "{")) ?? bytes.startIndex }

    private func object(_ holder: JSONScanner.Member) throws(JSONError) -> JSONScanner.Object {
        guard bytes[holder.value.lowerBound] == UInt8(ascii: "{") else { throw JSONError(.notContainer) }
        return JSONScanner(bytes).object(at: holder.value.lowerBound)
    }

    /// Behind the last member, with the white space that stands before that one's name and around its colon.
    private mutating func insert(_ name: String, _ value: [UInt8], into object: JSONScanner.Object) {
        guard let last = object.members.last else {
            bytes.insert(contentsOf: Self.quoted(name) + Array(": ".utf8) + value, at: object.open + 1)
            return
        }
        let colon = bytes[last.name.upperBound..<last.value.lowerBound]
        let text = Array(",".utf8) + object.lead(bytes) + Self.quoted(name) + colon + value
        bytes.insert(contentsOf: text, at: last.value.upperBound)
    }

    private mutating func remove(_ name: String, from object: JSONScanner.Object) {
        guard let index = object.members.firstIndex(where: { $0.isNamed(name, in: bytes) }) else { return }
        let member = object.members[index]
        if index > 0 {
            bytes.removeSubrange(object.members[index - 1].value.upperBound..<member.value.upperBound)
        } else if object.members.count > 1 {
            bytes.removeSubrange(member.name.lowerBound..<object.members[1].name.lowerBound)
        } else {
            bytes.removeSubrange(object.open + 1..<member.value.upperBound)
        }
    }

    /// `{"inner": "value"}`, on lines of its own where the whole is.
    ///
    /// - Parameter lead: what stands before a name of the whole: a line end and one step of indentation, or a blank.
    private static func fresh(_ inner: String, _ value: String, lead: [UInt8]) throws(JSONError) -> [UInt8] {
        let member = quoted(inner) + Array(": ".utf8) + (try quote(value))
        guard let lineEnd = lead.lastIndex(of: 0x0A) else { return Array("{".utf8) + member + Array("}".utf8) }
        let step = Array(lead[(lineEnd + 1)...])
        return Array("{".utf8) + lead + step + member + lead + Array("}".utf8)
    }

    private static func quote(_ text: String) throws(JSONError) -> [UInt8] {
        Array(try JSONValue.array([.string(text)]).serialized().dropFirst().dropLast())
    }

    /// A name: what no JSON could hold cannot be one.
    private static func quoted(_ name: String) -> [UInt8] { (try? quote(name)) ?? Array("\"\"".utf8) }
}
