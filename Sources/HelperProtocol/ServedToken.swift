import Sensitive

/// The credential that a host of ours gets.
package struct ServedToken: Sendable, Equatable {
    package var username: String
    package var secret: Secret
    /// Seconds since the epoch.
    package var expiresAt: Int

    package init(username: String, secret: Secret, expiresAt: Int) {
        self.username = username
        self.secret = secret
        self.expiresAt = expiresAt
    }

    /// The token as a header's value may hold it.
    ///
    /// - Throws: ``RequestFault`` for anything but visible ASCII: in a line of its own it would end the line.
    func headerText() throws(RequestFault) -> String {
        guard !secret.isEmpty, secret.withBytes({ $0.allSatisfy { (0x21...0x7E).contains($0) } }),
            let text = secret.text
        else { throw RequestFault("the token is not text that a header can carry") }
        return text
    }

    /// The value of an `Authorization` header (RFC 6750 section 2.1).
    func bearer() throws(RequestFault) -> String { "Bearer \(try headerText())" }

    /// The expiry as a date-time (RFC 3339 section 5.6), in UTC.
    var expiryText: String { Timestamp.text(of: expiresAt) }
}
