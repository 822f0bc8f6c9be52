import WebAddress

/// A redirect URI on loopback (RFC 8252 section 7.3). Providers compare it as text, so it is never respelled.
package struct RedirectURI: Sendable, Hashable {
    /// `127.0.0.1`, `[::1]` or `localhost`, as a URL spells it.
    package let host: String
    /// Nil: any free port.
    package let port: Int?
    /// As spelled; may be empty.
    package let path: String

    /// Parses `http://HOST[:PORT][/PATH]`; nil for any other scheme, host or spelling, a query or a fragment.
    package init?(_ text: String) {
        guard let url = WebURL(text), url.origin.scheme == "http", url.userInfo == nil, url.query == nil,
            url.fragment == nil
        else { return nil }
        let authority = text.dropFirst("http://".count).prefix { $0 != "/" }
        guard let host = ["127.0.0.1", "[::1]", "localhost"].first(where: { authority.hasPrefix($0) }) else {
            return nil
        }
        let isPortGiven = authority.utf8.count > host.utf8.count
        self.init(host: host, port: isPortGiven ? url.origin.port : nil, path: url.path)
        // A scheme in capitals, a port with leading zeros: the provider would not take them for the same.
        guard description == text else { return nil }
    }

    private init(host: String, port: Int?, path: String) {
        self.host = host
        self.port = port
        self.path = path
    }

    /// What stands in a profile without `redirect-uri`, and in the provider's list: three, so that one that is taken
    /// ends no login; below 32768, where Linux takes no port for outgoing connections.
    package static let defaults = [18437, 23917, 28561].map {
        RedirectURI(host: "127.0.0.1", port: $0, path: "/callback")
    }

    /// The URI as it is sent once the listener has its port.
    package func text(port: Int) -> String { "http://\(host):\(self.port ?? port)\(path)" }
}

extension RedirectURI: CustomStringConvertible {
    /// As the profile spells it.
    package var description: String { "http://\(host)\(port.map { ":\($0)" } ?? "")\(path)" }
}
