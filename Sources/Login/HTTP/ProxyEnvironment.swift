import CGLib
import Program
import WebAddress

/// The proxies that the environment names, as curl and git read them.
///
/// Where it names one it wins over the desktop's, since GIO's resolver under GNOME does not look at it.
package struct ProxyEnvironment: Sendable, Equatable {
    /// For https, which is all that leaves this machine.
    package var https: String?
    package var all: String?
    /// Hosts and suffixes that are spoken to directly; `*` is all of them.
    package var exceptions: [String] = []
    private var variable = "https_proxy"

    package static let none = ProxyEnvironment()

    package init(https: String? = nil, all: String? = nil, exceptions: [String] = []) {
        self.https = https
        self.all = all
        self.exceptions = exceptions
    }

    package static var current: ProxyEnvironment {
        ProxyEnvironment { ProcessEnvironment[$0] }
    }

    /// - Parameter variable: the value of an environment variable; nil where it is not set, or empty.
    package init(reading variable: (String) -> String?) {
        func first(_ names: [String]) -> (name: String, value: String)? {
            for name in names {
                if let value = variable(name) { return (name, value) }
            }
            return nil
        }
        let https = first(["https_proxy", "HTTPS_PROXY"])
        let all = first(["all_proxy", "ALL_PROXY"])
        let exceptions = first(["no_proxy", "NO_PROXY"])?.value.split(separator: ",") ?? []
        self.init(
            https: https?.value, all: all?.value,
            exceptions: exceptions.compactMap { $0.split(separator: " ").first.map(String.init) })
        self.variable = https?.name ?? all?.name ?? self.variable
    }

    /// Does it name a proxy at all?
    package var isSet: Bool { https != nil || all != nil }

    /// A resolver of GIO's for it, which the receiver unrefs; nil stands for "directly".
    ///
    /// - Throws: ``HTTPSetupError`` for a value that is no proxy.
    func makeResolver() throws(HTTPSetupError) -> OpaquePointer? {
        guard let value = https ?? all, !exceptions.contains("*") else { return nil }
        // curl and git take "host:port" for http://host:port.
        let address = value.contains("://") ? value : "http://\(value)"
        let scheme = address.prefix { $0 != ":" }.lowercased()
        // The part behind the scheme has the same form in all of them.
        guard ["http", "https", "socks", "socks4", "socks4a", "socks5", "socks5h"].contains(scheme),
            WebURL("http" + address.dropFirst(scheme.count)) != nil
        else { throw .proxy(variable: variable) }
        // GIO resolves names at the proxy in either case and does not know curl's spelling of it.
        let known = scheme == "socks5h" ? "socks5" + address.dropFirst(scheme.count) : address
        var hosts: [UnsafeMutablePointer<CChar>?] = exceptions.map { (host: String) in g_strdup(host) }
        hosts.append(nil)
        defer { for host in hosts { g_free(host) } }
        return g_simple_proxy_resolver_new(known, &hosts)
    }
}
