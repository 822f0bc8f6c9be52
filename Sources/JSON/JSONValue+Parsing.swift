import CJansson

extension JSONValue {
    /// Deeper nesting is refused: no message that we read has more than a handful of levels.
    package static var maximumDepth: Int { 64 }

    /// Parses strictly: one object or array, UTF-8, no duplicate names, no NUL, nothing after the value.
    ///
    /// - Parameter maximumSize: in bytes.
    /// - Throws: ``JSONError``, which never quotes the input.
    package init(parsing bytes: some Collection<UInt8>, maximumSize: Int = 4 << 20) throws(JSONError) {
        guard bytes.count <= maximumSize else { throw JSONError(.tooLarge) }
        guard bytes.contains(where: { !Self.isWhitespace($0) }) else { throw JSONError(.empty) }
        var failure = json_error_t()
        let contiguous = bytes.withContiguousStorageIfAvailable { Self.load($0, &failure) }
        let loaded = contiguous ?? Array(bytes).withUnsafeBufferPointer { Self.load($0, &failure) }
        guard let root = loaded else { throw Self.error(from: failure, bytes) }
        defer { mojoauth_json_release(root) }
        self = try Self.copy(root, depth: 1)
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func load(
        _ bytes: UnsafeBufferPointer<UInt8>, _ failure: inout json_error_t
    ) -> UnsafeMutablePointer<json_t>? {
        bytes.withMemoryRebound(to: CChar.self) {
            json_loadb($0.baseAddress, $0.count, Int(JSON_REJECT_DUPLICATES), &failure)
        }
    }

    private static func error(from failure: json_error_t, _ bytes: some Collection<UInt8>) -> JSONError {
        // jansson puts its error code into the last byte of the text buffer; the text itself may quote the input.
        let code = withUnsafeBytes(of: failure.text) { UInt32($0[$0.count - 1]) }
        let reason: JSONError.Reason =
            switch json_error_code(rawValue: code) {
            case json_error_duplicate_key: .duplicateName
            case json_error_stack_overflow: .tooDeep
            case json_error_invalid_syntax where Self.startsAsScalar(bytes): .notContainer
            default: .malformed
            }
        return JSONError(reason, position: failure.position >= 0 ? Int(failure.position) : nil)
    }

    private static func startsAsScalar(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first(where: { !isWhitespace($0) }) else { return false }
        return first == UInt8(ascii: "\"") || first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
            || first == UInt8(ascii: "t") || first == UInt8(ascii: "f") || first == UInt8(ascii: "n")
    }

    private static func copy(_ value: UnsafeMutablePointer<json_t>, depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= maximumDepth else { throw JSONError(.tooDeep) }
        switch value.pointee.type {
        case JSON_OBJECT:
            var members: [JSONObject.Member] = []
            members.reserveCapacity(json_object_size(value))
            var iterator = json_object_iter(value)
            while let current = iterator {
                if let name = json_object_iter_key(current), let member = json_object_iter_value(current) {
                    let copied = try copy(member, depth: depth + 1)
                    members.append(JSONObject.Member(name: String(cString: name), value: copied))
                }
                iterator = json_object_iter_next(value, current)
            }
            return .object(JSONObject(distinct: members))
        case JSON_ARRAY:
            var elements: [JSONValue] = []
            elements.reserveCapacity(json_array_size(value))
            for index in 0..<json_array_size(value) {
                if let element = json_array_get(value, index) { elements.append(try copy(element, depth: depth + 1)) }
            }
            return .array(elements)
        case JSON_STRING:
            guard let start = json_string_value(value) else { return .string("") }
            let bytes = UnsafeRawBufferPointer(start: start, count: json_string_length(value))
            return .string(String(decoding: bytes, as: UTF8.self))
        case JSON_INTEGER: return .integer(Int(json_integer_value(value)))
        case JSON_REAL: return .real(json_real_value(value))
        case JSON_TRUE: return .bool(true)
        case JSON_FALSE: return .bool(false)
        default: return .null
        }
    }
}
