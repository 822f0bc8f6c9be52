import CGLib

/// One group of a key file, parsed by GKeyFile: quoting, escapes and lists are its.
final class KeyFile {
    private let handle: OpaquePointer
    private let group: String

    /// Parses the text of one group, header included; nil when GKeyFile refuses it.
    init?(text: ArraySlice<UInt8>) {
        guard let handle = g_key_file_new() else { return nil }
        let isLoaded = text.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                g_key_file_load_from_data(handle, $0.baseAddress, gsize($0.count), G_KEY_FILE_NONE, nil) != 0
            }
        }
        guard isLoaded, let title = g_key_file_get_start_group(handle) else {
            g_key_file_unref(handle)
            return nil
        }
        defer { g_free(title) }
        self.handle = handle
        group = String(cString: title)
    }

    deinit { g_key_file_unref(handle) }

    /// The value with its escapes undone; nil when they cannot be.
    func string(_ key: String) -> String? {
        var error: UnsafeMutablePointer<GError>?
        let value = g_key_file_get_string(handle, group, key, &error)
        defer { g_free(value) }
        // GKeyFile gives a value back beside its error.
        guard error == nil, let value else {
            g_clear_error(&error)
            return nil
        }
        return String(cString: value)
    }

    /// The elements of a `;` list; nil when the escapes are wrong.
    func list(_ key: String) -> [String]? {
        var count: gsize = 0
        var error: UnsafeMutablePointer<GError>?
        let values = g_key_file_get_string_list(handle, group, key, &count, &error)
        defer { g_strfreev(values) }
        guard error == nil, let values else {
            g_clear_error(&error)
            return nil
        }
        return (0..<Int(count)).compactMap { index in values[index].map { String(cString: $0) } }
    }
}
