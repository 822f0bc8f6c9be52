import Foundation
import Program

/// A socket of TCP or UDP on this machine, as the kernel lists it.
package struct KernelSocket: Sendable, Hashable {
    /// `tcp`, `tcp6`, `udp` or `udp6`.
    package var table: String
    /// The local address, in the kernel's hexadecimal digits.
    package var address: String
    package var port: Int
    package var isListening: Bool
    package var user: uid_t
    /// What names it among a process's descriptors; 0 once it belongs to none.
    package var inode: UInt64

    private init?(_ table: String, _ line: Substring) {
        let columns = line.split(separator: " ")
        guard columns.count > 9, let user = uid_t(columns[7]), let inode = UInt64(columns[9]) else { return nil }
        let local = columns[1].split(separator: ":")
        guard local.count == 2, let port = Int(local[1], radix: 16) else { return nil }
        (self.table, self.user, self.inode, self.port) = (table, user, inode, port)
        address = String(local[0])
        isListening = table.hasPrefix("tcp") && columns[3] == "0A"
    }

    /// 127.0.0.0/8, also as an address of IPv6, or ::1.
    package var isOnLoopback: Bool {
        if address.count == 8 { return address.hasSuffix("7F") }
        return address == "00000000000000000000000001000000"
            || address.hasPrefix("0000000000000000FFFF0000") && address.hasSuffix("7F")
    }

    /// Every one that is bound or connected.
    package static func all() throws -> [KernelSocket] {
        try ["tcp", "tcp6", "udp", "udp6"].flatMap { table in
            let path = "/proc/net/\(table)"
            // A kernel without IPv6 has no tables of it.
            guard table.hasSuffix("6") == false || access(path, F_OK) == 0 else { return [KernelSocket]() }
            return try whole(path).split(separator: "\n").dropFirst().compactMap { KernelSocket(table, $0) }
        }
    }

    /// The inodes of a process's sockets; nil where its descriptors may not be looked at.
    package static func inodes(ofProcess process: pid_t) -> Set<UInt64>? {
        let folder = "/proc/\(process)/fd"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
        let links = names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
        return Set(links.compactMap { $0.firstMatch(of: /^socket:\[(\d+)\]$/).flatMap { UInt64($0.1) } })
    }

    /// A file of /proc to its end: the kernel tells no size of it, `String(contentsOfFile:)` stops after the first page,
    /// and other tests make thousands of connections.
    package static func whole(_ path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw MissingPart(description: "cannot open \(path)") }
        defer { close(descriptor) }
        return String(decoding: try StandardStream.read(descriptor: descriptor, limit: 1 << 26), as: UTF8.self)
    }
}
