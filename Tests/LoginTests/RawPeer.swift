import Foundation
import Synchronization

/// Plain sockets on threads of their own: clients and servers that keep no rule of HTTP.
enum RawPeer {
    /// Connects to a port on 127.0.0.1; -1 when that is refused.
    static func connect(_ port: Int) -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = loopback(port)
        let done = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if done == 0 { return descriptor }
        close(descriptor)
        return -1
    }

    static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    static func send(_ descriptor: CInt, _ text: String) {
        let bytes = Array(text.utf8)
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            offset += count
        }
    }

    /// Everything until the peer closes.
    static func receive(_ descriptor: CInt) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk.prefix(count)
        }
    }
}

/// A value that a thread hands to the test.
final class Box<Value: Sendable>: Sendable {
    private let storage = Mutex<Value?>(nil)

    var value: Value? { storage.withLock { $0 } }

    func set(_ value: Value) {
        storage.withLock { $0 = value }
    }

    /// Runs `body` on a thread of its own.
    static func of(_ body: @escaping @Sendable () -> Value) -> Box<Value> {
        let box = Box()
        Thread.detachNewThread { box.set(body()) }
        return box
    }
}

/// Listens on a free port and hands every connection to a closure on a thread of its own.
final class RawServer: Sendable {
    let port: Int
    private let descriptor: CInt

    init(_ serve: @escaping @Sendable (CInt) -> Void) throws {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = RawPeer.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let done = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard done else { throw TestFailure("no port for a raw server") }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else {
                    // Here and not in deinit: a number that is free again may be another test's socket at once.
                    close(descriptor)
                    return
                }
                Thread.detachNewThread {
                    serve(connection)
                    close(connection)
                }
            }
        }
    }

    deinit {
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// Reads the head of a request.
    static func readHead(_ descriptor: CInt) -> String {
        var head = ""
        var byte: UInt8 = 0
        while !head.hasSuffix("\r\n\r\n"), recv(descriptor, &byte, 1, 0) == 1 {
            head.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return head
    }
}

/// A port that refuses connections for as long as this lives.
final class ClosedPort {
    let port: Int
    private let descriptor: CInt

    init() throws {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = RawPeer.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let done = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard done else { throw TestFailure("no port") }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        close(descriptor)
    }
}
