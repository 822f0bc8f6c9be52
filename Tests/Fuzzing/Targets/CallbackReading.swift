import Glibc
import Login

/// Bytes on a connection to the listener, as every process of this machine may send them.
enum CallbackReading {
    /// libFuzzer calls from one thread.
    private nonisolated(unsafe) static var waiting = Waiting()

    static func run(_ bytes: [UInt8]) {
        let filled = waiting.filled(bytes)
        let descriptor = connect(to: waiting.listener.port)
        defer { close(descriptor) }
        send(descriptor, filled, filled.count, CInt(MSG_NOSIGNAL))
        shutdown(descriptor, CInt(SHUT_WR))
        var isOver = false
        // All of it is there: whoever has sent half a request would be waited for, but not here.
        for _ in 0..<20 where !isOver && waiting.listener.answer == nil {
            Waiting.loop.drain()
            isOver = hasEnded(descriptor)
        }
        guard waiting.hasTaken(filled) else { return }
        waiting.listener.conclude(with: .denied)
        waiting = Waiting()
    }

    private static func hasEnded(_ descriptor: CInt) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &chunk, chunk.count, CInt(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN)
    }

    private static func connect(to port: Int) -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let isDone = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                var status: CInt
                // libFuzzer's alarm may come in the middle of it; the second call then waits for what the first began.
                repeat {
                    status = Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                } while status != 0 && errno == EINTR
                return status == 0
            }
        }
        // Thousands a second: none may linger when it is closed.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        check(isDone, "nobody listens: \(errno)")
        return descriptor
    }
}
