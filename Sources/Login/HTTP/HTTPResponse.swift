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

    /// Retry-After in seconds (RFC 9110 section 10.2.3); its date form is not read.
    package var retryAfter: Int? {
        self[header: "retry-after"].flatMap { Int($0) }.flatMap { (0...86400).contains($0) ? $0 : nil }
    }
}
