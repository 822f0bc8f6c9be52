/// One HTTP request by curl and its answer. No proxy, no redirect followed.
package struct HTTPExchange: Sendable, CustomStringConvertible {
    package var status: Int
    /// Names in lower case; the values of a name that comes more than once are joined by a comma.
    package var headers: [String: String]
    package var body: String

    package var description: String { "status \(status), \(headers)\n\(body)" }
}

extension World {
    /// - Parameter body: sent as it is, with the content type that `headers` names; nil sends none.
    package func http(
        _ method: String, _ url: String, headers: [String: String] = [:], body: String? = nil, timeout: Double = 30
    ) throws -> HTTPExchange {
        var arguments = ["--silent", "--show-error", "--include", "--noproxy", "*", "--request", method]
        if method == "HEAD" { arguments.append("--head") }
        for (name, value) in headers { arguments += ["--header", "\(name): \(value)"] }
        // Without this curl asks for leave to send a large body, and the answer gets a head more.
        arguments += ["--header", "Expect:"]
        if body != nil { arguments += ["--data-binary", "@-"] }
        let outcome = try run(.curl, arguments + ["--", url], input: body ?? "", timeout: timeout)
        guard outcome.exitCode == 0, let exchange = HTTPExchange(outcome.text) else {
            throw MissingPart(description: "\(method) \(url): \(outcome)")
        }
        return exchange
    }
}

extension HTTPExchange {
    /// Parses what `curl --include` prints.
    fileprivate init?(_ text: String) {
        // A Character of Swift is a grapheme, and CR LF is one: split by that.
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { return nil }
        self.status = status
        headers = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = String(parts[1].drop { $0 == " " })
            headers[parts[0].lowercased()] = headers[parts[0].lowercased()].map { "\($0), \(value)" } ?? value
        }
        body = String(text[end.upperBound...])
    }
}
