import CGLib

/// Owner of a GVariant.
final class Variant {
    let pointer: OpaquePointer

    /// Takes over a reference that the caller has.
    init(adopting pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        g_variant_unref(pointer)
    }

    var type: String { String(cString: g_variant_get_type_string(pointer)) }

    var count: Int { Int(g_variant_n_children(pointer)) }

    func child(_ index: Int) -> Variant {
        Variant(adopting: g_variant_get_child_value(pointer, gsize(index)))
    }

    /// What a variant of type `v` holds.
    var content: Variant { Variant(adopting: g_variant_get_variant(pointer)) }

    /// A string or an object path.
    var string: String { String(cString: g_variant_get_string(pointer, nil)) }

    var number: UInt64 { UInt64(g_variant_get_uint64(pointer)) }

    var number32: UInt32 { g_variant_get_uint32(pointer) }

    var bool: Bool { g_variant_get_boolean(pointer) != 0 }

    /// Lends the bytes of `ay`.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withExtendedLifetime(self) {
            var count: gsize = 0
            let start = g_variant_get_fixed_array(pointer, &count, 1)
            return body(UnsafeRawBufferPointer(start: start, count: Int(count)))
        }
    }

    /// The elements of `as` or `ao`.
    var strings: [String] { (0..<count).map { child($0).string } }

    /// The entries of `a{ss}`.
    var dictionary: [String: String] {
        var result: [String: String] = [:]
        for index in 0..<count {
            let entry = child(index)
            result[entry.child(0).string] = entry.child(1).string
        }
        return result
    }
}

/// Makes floating GVariants, which the call that takes them sinks.
enum NewVariant {
    static func tuple(_ children: OpaquePointer?...) -> OpaquePointer? {
        children.withUnsafeBufferPointer { g_variant_new_tuple($0.baseAddress, gsize($0.count)) }
    }

    static func string(_ text: String) -> OpaquePointer? { g_variant_new_string(text) }

    static func path(_ path: String) -> OpaquePointer? { g_variant_new_object_path(path) }

    static func bool(_ flag: Bool) -> OpaquePointer? { g_variant_new_boolean(flag ? 1 : 0) }

    static func paths(_ paths: [String]) -> OpaquePointer? {
        array(of: "o", paths.map { path($0) })
    }

    /// `a{ss}`
    static func dictionary(_ pairs: [String: String]) -> OpaquePointer? {
        array(of: "{ss}", pairs.map { g_variant_new_dict_entry(string($0.key), string($0.value)) })
    }

    /// `a{sv}`
    static func properties(_ pairs: KeyValuePairs<String, OpaquePointer?>) -> OpaquePointer? {
        array(of: "{sv}", pairs.map { g_variant_new_dict_entry(string($0.key), g_variant_new_variant($0.value)) })
    }

    private static func array(of type: String, _ elements: [OpaquePointer?]) -> OpaquePointer? {
        let elementType = g_variant_type_new(type)
        defer { g_variant_type_free(elementType) }
        return elements.withUnsafeBufferPointer { g_variant_new_array(elementType, $0.baseAddress, gsize($0.count)) }
    }
}
