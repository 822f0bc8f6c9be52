import CGLib
import Configuration
import Options
import WebAddress

/// A host entry that does not name the origin asked about, though a person may think that it does.
struct NearbyEntry {
    let entry: HostEntry
    /// In what the two differ, in words.
    let difference: String

    /// - Returns: nil when the entry has nothing to do with the URL.
    init?(_ entry: HostEntry, for url: WebURL) {
        guard let difference = Self.difference(url, entry.origin) else { return nil }
        self.entry = entry
        self.difference = difference
    }

    private static func difference(_ url: WebURL, _ named: Origin) -> String? {
        let asked = url.origin
        guard asked.host != named.host else {
            if asked.scheme != named.scheme { return "the scheme is another one: \(named.scheme) there" }
            return asked.port == named.port ? nil : "the port is another one: \(named.port) there"
        }
        let (host, other) = (asked.host.name, named.host.name)
        if let user = url.userInfo?.prefix(while: { $0 != ":" }), Host(user) == named.host {
            return "that host stands before the @, where it is a user's name"
        }
        if undotted(host) == undotted(other) { return "a dot at the end makes it another host" }
        if host.hasSuffix(".\(other)") { return "a subdomain of that host is another host" }
        if other.hasSuffix(".\(host)") { return "that host is a subdomain of this one, and another host" }
        if host.hasPrefix("\(other).") { return "this host only begins like that one" }
        if host.hasSuffix(other) { return "this host only ends like that one" }
        if asked.host.isLoopback, named.host.isLoopback { return "both are loopback, but hosts are compared as text" }
        return Suggestion.nearest(to: shown(host), among: [shown(other)]) == nil
            ? nil : "this host only looks like that one"
    }

    private static func undotted(_ host: String) -> Substring { host.hasSuffix(".") ? host.dropLast() : host[...] }

    /// With its letters beyond ASCII, for comparing alone: nothing that is printed looks like what it is not.
    private static func shown(_ host: String) -> String {
        guard let text = g_hostname_to_unicode(host) else { return host }
        defer { g_free(text) }
        return String(cString: text)
    }
}
