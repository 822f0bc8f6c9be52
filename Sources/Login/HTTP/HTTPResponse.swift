import CGLib
import CSoup
import Program

/// What a server answered, whatever its status: a redirect is an answer like any other.
package struct HTTPResponse: Sendable {
    package var status: Int
    /// Lower-case names; of a header that stands twice, the values joined by a comma.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package subscript(header name: String) -> String? { headers[name.lowercased()] }

    package var isSuccess: Bool { (200...299).contains(status) }

    package var isRedirect: Bool { (300...399).contains(status) }

    /// The media type in lower case, without parameters.
    package var mediaType: String? {
        let value = self[header: "content-type"]?.prefix { $0 != ";" && $0 != "," }
        return value?.split(separator: " ").first.map { $0.lowercased() }
    }

    /// Says its media type or its first character that this is a page for people?
    package var isHTML: Bool {
        if let type = mediaType { return type == "text/html" || type == "application/xhtml+xml" }
        return body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    }

    /// Retry-After in seconds, a day at most (RFC 9110 section 10.2.3); nil when it is absent or cannot be read.
    package var retryAfter: Int? {
        guard let text = self[header: "retry-after"] else { return nil }
        let longest = 86400
        if let seconds = Int(text) { return seconds < 0 ? nil : min(seconds, longest) }
        guard let date = soup_date_time_new_from_http_string(text) else { return nil }
        defer { g_date_time_unref(date) }
        return min(max(Int(g_date_time_to_unix(date)) - Clock.now(), 0), longest)
    }
}
