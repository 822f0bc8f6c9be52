import CGLib

/// An absolute http or https URL (RFC 3986), split and checked. Path, query and fragment stay as they were spelled.
package struct WebURL: Sendable, Hashable {
    package let origin: Origin
    package let path: String
    package let query: String?
    package let fragment: String?
    /// User information before the host, percent-encoded as spelled: nobody of ours sends one.
    package let userInfo: String?

    private init(origin: Origin, path: String, query: String?, fragment: String?, userInfo: String?) {
        self.origin = origin
        self.path = path
        self.query = query
        self.fragment = fragment
        self.userInfo = userInfo
    }

    package init(origin: Origin, path: String, query: String? = nil) {
        self.init(origin: origin, path: path, query: query, fragment: nil, userInfo: nil)
    }

    /// Parses; nil for anything but an absolute http or https URL of printable characters with a well-formed host and
    /// port. The host alone may hold letters beyond ASCII; they become A-labels.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F || $0 == "\\" }) else {
            return nil
        }
        guard Self.isPlainlySpelled(text) else { return nil }
        var parts = SplitURI()
        guard parts.split(text), let spelledScheme = parts.scheme, let spelledHost = parts.host,
            let scheme = Origin.normalized(scheme: spelledScheme),
            let fallback = Origin.defaultPort(of: scheme), let host = Host(spelledHost),
            parts.port == -1 || (1...65535).contains(parts.port)
        else { return nil }
        self.init(
            origin: Origin(scheme: scheme, host: host, port: parts.port == -1 ? fallback : Int(parts.port)),
            path: parts.path ?? "", query: parts.query, fragment: parts.fragment, userInfo: parts.userInfo)
    }

    /// What g_uri_split would mend in silence and an exact comparison must not accept: an empty port, a
    /// percent-encoded host, letters beyond ASCII anywhere but in the host.
    private static func isPlainlySpelled(_ text: String) -> Bool {
        // Bytes, as for g_uri_split: a mark behind a slash makes another character of both.
        let bytes = text.utf8
        guard let range = bytes.place(of: "://".utf8) else { return false }
        let authority = bytes[range.upperBound...].prefix { !"/?#".utf8.contains($0) }
        let host = authority[(authority.lastIndex(of: UInt8(ascii: "@")) ?? authority.startIndex)...]
        return authority.last != UInt8(ascii: ":") && !host.contains(UInt8(ascii: "%"))
            && bytes[authority.endIndex...].allSatisfy { $0 < 0x80 }
    }

    /// The same URL with `fields` added behind the query it already has (RFC 6749 section 3.1 keeps that one).
    package func adding(query fields: FormFields) -> WebURL {
        guard !fields.isEmpty else { return self }
        let own = query.map { $0.isEmpty ? "" : $0 + "&" } ?? ""
        return WebURL(origin: origin, path: path, query: own + fields.encoded, fragment: fragment, userInfo: userInfo)
    }

    /// The same URL with another path and without query and fragment.
    package func replacing(path: String) -> WebURL {
        WebURL(origin: origin, path: path)
    }
}

extension WebURL: CustomStringConvertible {
    /// The URL in full, host and scheme in their one form.
    package var description: String {
        let user = userInfo.map { $0 + "@" } ?? ""
        return "\(origin.scheme)://\(user)\(origin.authority)\(path)"
            + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    }
}

/// What g_uri_split finds, copied out of its allocations.
private struct SplitURI {
    var scheme: String?
    var userInfo: String?
    var host: String?
    var port: gint = -1
    var path: String?
    var query: String?
    var fragment: String?

    mutating func split(_ text: String) -> Bool {
        var parts:
            (
                scheme: UnsafeMutablePointer<CChar>?, user: UnsafeMutablePointer<CChar>?,
                host: UnsafeMutablePointer<CChar>?,
                path: UnsafeMutablePointer<CChar>?, query: UnsafeMutablePointer<CChar>?,
                fragment: UnsafeMutablePointer<CChar>?
            )
        let done = g_uri_split(
            text, G_URI_FLAGS_ENCODED, &parts.scheme, &parts.user, &parts.host, &port, &parts.path, &parts.query,
            &parts.fragment, nil)
        scheme = Self.take(parts.scheme)
        userInfo = Self.take(parts.user)
        host = Self.take(parts.host)
        path = Self.take(parts.path)
        query = Self.take(parts.query)
        fragment = Self.take(parts.fragment)
        return done != 0
    }

    private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        defer { g_free(text) }
        return text.map { String(cString: $0) }
    }
}
