import Foundation

/// A TCP client on loopback that keeps no rule.
enum RawClient {
    /// - Returns: a connected descriptor; -1 when that is refused.
    static func connect(_ port: Int) -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let isDone = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isDone { return descriptor }
        close(descriptor)
        return -1
    }

    /// - Returns: false when the other side is gone.
    @discardableResult
    static func send(_ descriptor: CInt, _ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
    }

    /// Sends a request on a connection of its own.
    ///
    /// - Returns: everything until the other side closes.
    static func exchange(_ port: Int, _ request: String) -> String {
        let descriptor = connect(port)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        send(descriptor, request)
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 { answer += chunk.prefix(count) }
        return String(decoding: answer, as: UTF8.self)
    }
}
