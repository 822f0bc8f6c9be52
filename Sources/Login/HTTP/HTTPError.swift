import WebAddress

/// Why no answer came. Never quotes a header or a body.
package struct HTTPError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case nameNotResolved
        case refused
        case unreachable
        /// The server's certificate, or what stands in its place; the text says what is wrong with it.
        case tls(String)
        /// The chain is trusted, yet the server's key is none of the profile's.
        case pinMismatch
        case timedOut(seconds: Double)
        case tooLarge(limit: Int)
        /// The proxy, not the server, failed or refused.
        case proxy(String)
        /// The connection ended before the answer did.
        case cut
        /// One of the signals that end a login came.
        case interrupted(CInt)
        case other(String)
    }

    package var reason: Reason
    /// Whom we wanted to speak to.
    package var origin: Origin

    package init(_ reason: Reason, _ origin: Origin) {
        self.reason = reason
        self.origin = origin
    }
}

extension HTTPError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .nameNotResolved: "cannot reach \(origin): the host name \(origin.host.name) is not known"
        case .refused: "cannot reach \(origin): connection refused"
        case .unreachable: "cannot reach \(origin): no route to it"
        case .tls(let why): "cannot trust \(origin): \(why)"
        case .pinMismatch: "cannot trust \(origin): its key is none of those that pin-sha256 names"
        case .timedOut(let seconds): "\(origin) did not answer within \(Self.text(seconds)) s"
        case .tooLarge(let limit): "the answer of \(origin) is larger than \(limit) bytes"
        case .proxy(let why): "cannot reach \(origin) through the proxy: \(why)"
        case .cut: "\(origin) closed the connection in the middle of its answer"
        case .interrupted: "interrupted while waiting for \(origin)"
        case .other(let text): "cannot reach \(origin): \(text)"
        }
    }

    private static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}

extension HTTPError {
    /// Will it pass by itself? What is wrong with a certificate or an answer's size will not.
    package var isTransient: Bool {
        switch reason {
        case .tls, .pinMismatch, .tooLarge, .interrupted: false
        default: true
        }
    }
}
