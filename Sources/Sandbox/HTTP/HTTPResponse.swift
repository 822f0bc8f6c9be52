import JSON

/// An answer of the issuer, and how it is to reach the client.
struct HTTPResponse: Sendable {
    /// What faults do to an answer on its way.
    enum Delivery: Sendable {
        case whole
        /// The connection ends half-way through the body.
        case truncated
        /// The connection ends without an answer.
        case dropped
    }

    struct Header: Sendable {
        var name: String
        var value: String
    }

    var status: Int
    var headers: [Header] = []
    var body: [UInt8] = []
    /// Seconds to wait before it is sent.
    var delay = 0.0
    var delivery = Delivery.whole

    init(status: Int, type: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.body = body
        if let type { set("Content-Type", type) }
        set("Cache-Control", "no-store")
        set("X-Content-Type-Options", "nosniff")
    }

    /// A JSON answer; a value that is none becomes 500.
    static func json(_ object: JSONObject, status: Int = 200) -> HTTPResponse {
        guard let body = try? JSONValue.object(object).serialized() else { return HTTPResponse(status: 500) }
        return HTTPResponse(status: status, type: "application/json", body: body)
    }

    static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, type: "text/plain; charset=utf-8", body: Array((text + "\n").utf8))
    }

    /// 303: a browser follows with GET.
    static func redirect(to location: String) -> HTTPResponse {
        var response = HTTPResponse(status: 303)
        response.set("Location", location)
        response.set("Referrer-Policy", "no-referrer")
        return response
    }

    /// The one value of a header.
    mutating func set(_ name: String, _ value: String) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        add(name, value)
    }

    /// One more value of a header.
    mutating func add(_ name: String, _ value: String) {
        headers.append(Header(name: name, value: value))
    }
}
