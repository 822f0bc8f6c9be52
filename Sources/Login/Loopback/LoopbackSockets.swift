import CGLib
import Configuration
import Glibc

/// Sockets that listen on loopback for one redirect URI: both families on one port for `localhost`, else one.
struct LoopbackSockets {
    /// Owned; GIO calls its sockets' acceptor a service.
    let service: UnsafeMutablePointer<GSocketService>
    let port: Int

    /// Longer than GIO's ten, so that many idle connections do not keep the browser's waiting.
    private static let backlog: CInt = 256
    /// How often another free port is looked for when one family has it taken.
    private static let attempts = 20

    /// Binds the first of `uris` whose port is free.
    ///
    /// - Throws: ``ListenError`` with every attempt.
    static func bind(
        _ uris: [RedirectURI], loop: EventLoop
    ) throws(ListenError) -> (sockets: LoopbackSockets, uri: RedirectURI) {
        var failures: [ListenError.Attempt] = []
        for uri in uris {
            let tries = uri.port == nil ? attempts : 1
            for last in 1...tries {
                switch loop.perform({ bind(uri) }) {
                case .success(let sockets): return (sockets, uri)
                case .failure(let failure):
                    if last == tries { failures.append(failure) }
                }
            }
        }
        throw ListenError(attempts: failures)
    }

    private enum Outcome {
        case success(LoopbackSockets)
        case failure(ListenError.Attempt)
    }

    private static func bind(_ uri: RedirectURI) -> Outcome {
        let service: UnsafeMutablePointer<GSocketService> = g_socket_service_new()
        let listener = UnsafeMutableRawPointer(service).assumingMemoryBound(to: GSocketListener.self)
        g_socket_listener_set_backlog(listener, backlog)
        // A running service starts anew with each address, and loses a connection that comes just then.
        g_socket_service_stop(service)
        var port = uri.port ?? 0
        for address in addresses(of: uri.host) {
            var failure: UnsafeMutablePointer<GError>?
            guard let bound = add(address, port, to: listener, &failure) else {
                let error = GLibError(adopting: failure)
                g_socket_service_stop(service)
                g_socket_listener_close(listener)
                g_object_unref(service)
                let shown = address.contains(":") ? "[\(address)]" : address
                return .failure(
                    ListenError.Attempt(
                        authority: "\(shown):\(port == 0 ? "any port" : "\(port)")",
                        reason: error.isIO(G_IO_ERROR_ADDRESS_IN_USE) ? .taken : .other(error.text)))
            }
            port = bound
        }
        g_socket_service_start(service)
        return .success(LoopbackSockets(service: service, port: port))
    }

    /// A name is never resolved: what `localhost` means here does not depend on a file.
    private static func addresses(of host: String) -> [String] {
        switch host {
        case "localhost": hasIPv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"]
        case "[::1]": ["::1"]
        default: ["127.0.0.1"]
        }
    }

    /// Can ::1 be bound at all? Where it cannot, nobody else can catch a redirect there either.
    private static var hasIPv6: Bool {
        let socket = socket(AF_INET6, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }

    private static func add(
        _ address: String, _ port: Int, to listener: UnsafeMutablePointer<GSocketListener>,
        _ failure: inout UnsafeMutablePointer<GError>?
    ) -> Int? {
        guard let wanted = g_inet_socket_address_new_from_string(address, guint(port)) else { return nil }
        defer { g_object_unref(wanted) }
        var effective: UnsafeMutablePointer<GSocketAddress>?
        guard
            g_socket_listener_add_address(
                listener, wanted, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, nil, &effective, &failure) != 0,
            let effective
        else { return nil }
        defer { g_object_unref(effective) }
        return Int(
            g_inet_socket_address_get_port(
                UnsafeMutableRawPointer(effective).assumingMemoryBound(to: GInetSocketAddress.self)))
    }
}
