import Glibc

/// Ports of the loopback interface.
package enum FreePort {
    /// A port that nobody listens on at this moment, for servers that cannot choose one themselves.
    package static func find() throws -> Int {
        try withListener { $0 }
    }

    /// Calls `body` with a port on which something listens, and never answers, until `body` returns.
    package static func withListener<Answer>(_ body: (Int) throws -> Answer) throws -> Answer {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw MissingPart(description: "no socket") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard bound else { throw MissingPart(description: "no free port: \(String(cString: strerror(errno)))") }
        return try body(Int(UInt16(bigEndian: address.sin_port)))
    }
}
