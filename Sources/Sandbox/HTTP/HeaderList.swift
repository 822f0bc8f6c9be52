import CSoup

/// libsoup's headers, copied in their order.
enum HeaderList {
    static func copy(_ headers: OpaquePointer?) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        var iterator = SoupMessageHeadersIter()
        soup_message_headers_iter_init(&iterator, headers)
        var name: UnsafePointer<CChar>?
        var value: UnsafePointer<CChar>?
        while soup_message_headers_iter_next(&iterator, &name, &value) != 0 {
            if let name, let value { found.append((String(cString: name), String(cString: value))) }
        }
        return found
    }
}
