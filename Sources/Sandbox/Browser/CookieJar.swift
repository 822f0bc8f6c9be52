import Glibc
import Program

/// Cookies by host, as a browser keeps them for loopback: ports share them.
struct CookieJar {
    private var cookies: [String: [(name: String, value: String)]] = [:]

    init() {}

    /// The `Cookie` header for a host; nil when there is nothing to send.
    func header(for host: String) -> String? {
        guard let own = cookies[host], !own.isEmpty else { return nil }
        return own.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Takes a `Set-Cookie` header.
    mutating func take(_ header: String, from host: String) {
        let parts = header.split(separator: ";").map { $0.drop { $0 == " " } }
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return }
        let name = String(pair[..<equals])
        cookies[host, default: []].removeAll { $0.name == name }
        if parts.dropFirst().contains(where: { $0.lowercased() == "max-age=0" }) { return }
        cookies[host, default: []].append((name, String(pair[pair.index(after: equals)...])))
    }

    /// Reads a file that ``write(to:)`` made; one that is not there is an empty jar.
    init(file: String) throws(Complaint) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw Complaint("cannot read \(file): \(String(cString: strerror(errno)))", exitCode: .protocolFailure)
        }
        defer { close(descriptor) }
        guard let bytes = try? StandardStream.read(descriptor: descriptor, limit: 1 << 20) else {
            throw Complaint("cannot read \(file)", exitCode: .protocolFailure)
        }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if fields.count == 3 { cookies[fields[0], default: []].append((fields[1], fields[2])) }
        }
    }

    /// A line a cookie: host, name and value between tabs.
    func write(to file: String) throws(Complaint) {
        let lines = cookies.flatMap { host, own in own.map { "\(host)\t\($0.name)\t\($0.value)\n" } }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Complaint("cannot write \(file): \(String(cString: strerror(errno)))", exitCode: .protocolFailure)
        }
        defer { close(descriptor) }
        do {
            try StandardStream.write(Array(lines.joined().utf8), descriptor: descriptor)
        } catch {
            throw Complaint("cannot write \(file): \(error.description)", exitCode: .protocolFailure)
        }
    }
}
