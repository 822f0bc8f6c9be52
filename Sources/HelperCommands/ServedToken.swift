import OpenIDConnect
import Sensitive

/// The credential that a host of ours gets.
package struct ServedToken: Sendable, Equatable {
    package var username: String
    package var secret: Secret
    package var expiresAt: NumericDate

    package init(username: String, secret: Secret, expiresAt: NumericDate) {
        self.username = username
        self.secret = secret
        self.expiresAt = expiresAt
    }
}
