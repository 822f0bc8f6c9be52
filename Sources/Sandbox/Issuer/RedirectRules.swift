import WebAddress

/// Which redirect URIs the one client has registered.
struct RedirectRules {
    /// Empty: every loopback URI, whatever its port and path (RFC 8252 section 7.3 asks for the port).
    var registered: [String]

    func allow(_ uri: String) -> Bool {
        if !registered.isEmpty { return registered.contains(uri) }
        guard let url = WebURL(uri), url.fragment == nil, url.userInfo == nil else { return false }
        return url.origin.scheme == "http" && url.origin.host.isLoopback
    }
}
