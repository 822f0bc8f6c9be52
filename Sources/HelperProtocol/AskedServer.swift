import WebAddress

/// Who would get the token: a server, and the account that its caller names there.
package struct AskedServer: Sendable, Equatable {
    package var origin: Origin
    /// As spelled; nil when none is named.
    package var username: String?

    /// The server of an http or https URL. User information is the account, a password in it included: nobody of ours
    /// has such a name.
    package init?(url: String) {
        guard let url = WebURL(url) else { return nil }
        self.init(origin: url.origin, username: url.userInfo)
    }

    /// An https server by `host[:port]`.
    package init?(authority: String) {
        guard let origin = Origin(scheme: "https", authority: authority) else { return nil }
        self.init(origin: origin)
    }

    package init(origin: Origin, username: String? = nil) {
        self.origin = origin
        self.username = username
    }
}
