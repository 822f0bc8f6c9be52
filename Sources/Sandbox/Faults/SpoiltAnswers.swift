import JSON
import WebAddress

/// Answers that no issuer should send, used by several faults.
enum SpoiltAnswers {
    static let html = HTTPResponse(
        status: 200, type: "text/html; charset=utf-8",
        body: Array("<!DOCTYPE html><title>Maintenance</title><p>We will be back soon.</p>".utf8))

    static func html(status: Int) -> HTTPResponse {
        var response = html
        response.status = status
        return response
    }

    /// An answer without a body.
    static func empty(_ status: Int) -> HTTPResponse {
        HTTPResponse(status: status)
    }

    static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, type: "application/json", body: Array(text.utf8))
    }

    /// Five hundred lists in one another.
    static let deep = json(
        "{\"deep\":" + String(repeating: "[", count: 500) + String(repeating: "]", count: 500) + "}")

    /// Ten million letters in one JSON string.
    static var huge: HTTPResponse {
        var response = json("{\"huge\":\"")
        response.body += [UInt8](repeating: 0x41, count: 10_000_000) + Array("\"}".utf8)
        return response
    }

    static func tooMany(_ strike: FaultStrike) -> HTTPResponse {
        var response = OAuthError("temporarily_unavailable", "too many requests").response
        response.status = 429
        response.set("Retry-After", String(strike.number(or: 30)))
        return response
    }

    /// To the same machine under its other name: another origin, and one that would answer.
    static func elsewhere(_ strike: FaultStrike, status: Int) -> HTTPResponse {
        let other = WebURL(strike.issuer).map { url in
            let name = url.origin.host.name == "localhost" ? "127.0.0.1" : "localhost"
            return "\(url.origin.scheme)://\(name):\(url.origin.port)"
        }
        var response = HTTPResponse(status: status)
        response.set("Location", (other ?? "") + Issuer.elsewherePath)
        return response
    }

    static func dropped() -> HTTPResponse {
        var response = HTTPResponse(status: 0)
        response.delivery = .dropped
        return response
    }

    /// Puts a second member of the same name in front.
    static func repeatFirstMember(_ response: inout HTTPResponse, _ member: String) {
        guard response.body.first == UInt8(ascii: "{") else { return }
        response.body = Array("{\(member),".utf8) + response.body.dropFirst()
    }
}
