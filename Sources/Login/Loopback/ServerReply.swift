/// One answer of the listener.
struct ServerReply: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var html: String

    /// No store keeps it, no frame shows it, no address leaks from it.
    static let commonHeaders = [
        (name: "Cache-Control", value: "no-store"),
        (name: "Pragma", value: "no-cache"),
        (name: "Referrer-Policy", value: "no-referrer"),
        (name: "X-Content-Type-Options", value: "nosniff"),
        (name: "X-Frame-Options", value: "DENY"),
        (name: "Cross-Origin-Opener-Policy", value: "same-origin"),
        (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
        (name: "Connection", value: "close"),
    ]
}
