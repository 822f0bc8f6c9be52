import CGLib
import CSoup

/// An HTTP server on sockets of ours, with a limit on everything that a client can take.
///
/// libsoup gets connections that we accepted: its own listener has a short backlog and no time limits.
final class LoopbackServer {
    private let sockets: LoopbackSockets
    private let server: UnsafeMutablePointer<SoupServer>
    private let loop: EventLoop
    private let limits: ListenerLimits
    private let handler: (ServerRequest) -> Void
    private var connections: [Connection] = []
    private var isOpen = true

    private struct Connection {
        /// Owned.
        let socket: UnsafeMutablePointer<GSocket>
        /// Owned; the same object that libsoup hands out with each request, so it tells connections apart.
        let peer: UnsafeMutablePointer<GSocketAddress>
        let limit: EventSource
    }

    /// Takes over the sockets and answers whoever connects while the loop runs.
    init(
        adopting sockets: LoopbackSockets, loop: EventLoop, limits: ListenerLimits,
        handler: @escaping (ServerRequest) -> Void
    ) {
        self.sockets = sockets
        self.loop = loop
        self.limits = limits
        self.handler = handler
        server = loop.perform {
            UnsafeMutableRawPointer(g_object_new_with_properties(soup_server_get_type(), 0, nil, nil))
                .assumingMemoryBound(to: SoupServer.self)
        }
        let me = Unmanaged.passUnretained(self).toOpaque()
        soup_server_add_early_handler(
            server, nil,
            { _, message, _, _, data in
                guard let message, let data else { return }
                let server = Unmanaged<LoopbackServer>.fromOpaque(data).takeUnretainedValue()
                server.checkSize(ServerRequest(retaining: message))
            }, me, nil)
        soup_server_add_handler(
            server, nil,
            { _, message, _, _, data in
                guard let message, let data else { return }
                let server = Unmanaged<LoopbackServer>.fromOpaque(data).takeUnretainedValue()
                server.handler(ServerRequest(retaining: message))
            }, me, nil)
        typealias Incoming =
            @convention(c) (
                UnsafeMutablePointer<GSocketService>?, UnsafeMutablePointer<GSocketConnection>?,
                UnsafeMutablePointer<GObject>?, UnsafeMutableRawPointer?
            ) -> gboolean
        let incoming: Incoming = { _, connection, _, data in
            guard let connection, let data else { return 0 }
            Unmanaged<LoopbackServer>.fromOpaque(data).takeUnretainedValue().accept(connection)
            return 1
        }
        GObjects.connect(
            UnsafeMutableRawPointer(sockets.service), "incoming", unsafeBitCast(incoming, to: GCallback.self), data: me)
    }

    deinit {
        close()
        g_object_unref(sockets.service)
        g_object_unref(server)
    }

    var port: Int { sockets.port }

    /// Closes the port and every connection.
    func close() {
        guard isOpen else { return }
        isOpen = false
        loop.perform {
            g_socket_service_stop(sockets.service)
            g_socket_listener_close(
                UnsafeMutableRawPointer(sockets.service).assumingMemoryBound(to: GSocketListener.self))
            soup_server_disconnect(server)
        }
        while !connections.isEmpty { dropOldest() }
    }

    /// Frees a connection from its limit: its request is answered later.
    func spare(_ request: ServerRequest) {
        guard let index = connections.firstIndex(where: { $0.peer == request.peer }) else { return }
        let connection = connections.remove(at: index)
        g_socket_set_timeout(connection.socket, 0)
        forget(connection)
    }

    private func accept(_ connection: UnsafeMutablePointer<GSocketConnection>) {
        guard let socket = g_socket_connection_get_socket(connection) else { return }
        g_socket_set_timeout(socket, guint(limits.silence))
        guard let peer = g_socket_connection_get_remote_address(connection, nil) else { return }
        let local = g_socket_connection_get_local_address(connection, nil)
        defer { if let local { g_object_unref(local) } }
        if connections.count >= limits.connections { dropOldest() }
        g_object_ref(socket)
        let limit = loop.timer(after: limits.connection) { [unowned self] in end(peer) }
        connections.append(Connection(socket: socket, peer: peer, limit: limit))
        // Last, since libsoup may answer a request that is there already before it returns.
        let stream = UnsafeMutableRawPointer(connection).assumingMemoryBound(to: GIOStream.self)
        if soup_server_accept_iostream(server, stream, local, peer, nil) == 0 { end(peer) }
    }

    private func end(_ peer: UnsafeMutablePointer<GSocketAddress>) {
        guard let index = connections.firstIndex(where: { $0.peer == peer }) else { return }
        drop(connections.remove(at: index))
    }

    private func dropOldest() {
        drop(connections.removeFirst())
    }

    /// libsoup notices the end of the stream and frees what hangs on it.
    private func drop(_ connection: Connection) {
        if g_socket_is_closed(connection.socket) == 0 { g_socket_shutdown(connection.socket, 1, 1, nil) }
        forget(connection)
    }

    private func forget(_ connection: Connection) {
        g_object_unref(connection.socket)
        g_object_unref(connection.peer)
    }

    /// A body is kept in memory whole by libsoup: one that is too large, or of unknown size, is not.
    private func checkSize(_ request: ServerRequest) {
        if let size = request.announcedBodySize, size <= limits.body { return }
        request.dropBody()
        request.answer(ResultPage.tooLarge.reply)
    }
}
