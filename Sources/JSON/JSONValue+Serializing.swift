import CJansson
import Glibc

extension JSONValue {
    package enum Layout {
        /// No white space at all.
        case compact
        /// Indented by two spaces, for people.
        case indented
    }

    /// The value as UTF-8 JSON, members in their order.
    ///
    /// - Throws: ``JSONError`` `.malformed` for a number that JSON cannot hold or a top level that is no container.
    package func serialized(_ layout: Layout = .compact) throws(JSONError) -> [UInt8] {
        guard let root = makeJansson() else { throw JSONError(.malformed) }
        defer { mojoauth_json_release(root) }
        // JSON_COMPACT is 0x20 and JSON_INDENT(2) is 2: macros with parameters that Swift does not import.
        let flags = layout == .compact ? 0x20 : 2
        guard let text = json_dumps(root, flags) else { throw JSONError(.malformed) }
        let count = strlen(text)
        defer {
            explicit_bzero(text, count)
            free(text)
        }
        return Array(UnsafeRawBufferPointer(start: text, count: count))
    }

    private func makeJansson() -> UnsafeMutablePointer<json_t>? {
        switch self {
        case .object(let object):
            guard let result = json_object() else { return nil }
            for member in object.members {
                // json_object_set_new takes the reference, also when it fails.
                guard let value = member.value.makeJansson(),
                    json_object_set_new(result, member.name, value) == 0
                else {
                    mojoauth_json_release(result)
                    return nil
                }
            }
            return result
        case .array(let elements):
            guard let result = json_array() else { return nil }
            for element in elements {
                guard let value = element.makeJansson(), json_array_append_new(result, value) == 0 else {
                    mojoauth_json_release(result)
                    return nil
                }
            }
            return result
        case .string(let text):
            return text.withCString { json_stringn($0, text.utf8.count) }
        case .integer(let number): return json_integer(json_int_t(number))
        case .real(let number): return json_real(number)
        case .bool(let flag): return flag ? json_true() : json_false()
        case .null: return json_null()
        }
    }
}
