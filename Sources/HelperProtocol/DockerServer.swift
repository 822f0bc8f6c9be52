import WebAddress

/// A registry as docker's clients spell it: `HOST`, `https://HOST/v1/`, and many more ways for the same one.
package struct DockerServer: Sendable, Hashable {
    /// As the caller spelled it, without the blanks around it; goes back into the answer.
    package let spelling: String
    private let address: Address?

    /// The normal form; nil where the spelling is no address, which then equals itself alone.
    private struct Address: Sendable, Hashable {
        /// Lower case; nil when none is spelled.
        var scheme: String?
        /// Docker Hub's other names are its first.
        var host: Host
        /// Nil when none is spelled. A port that is spelled is never equal to none.
        var port: Int?
        /// Empty for the paths that mean the registry itself.
        var path: String
    }

    /// Takes standard input of `get` and `erase`.
    ///
    /// - Throws: ``DockerError`` `.noServer` for nothing but blanks.
    package init(parsing bytes: some Collection<UInt8>) throws(DockerError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badServer }
        try self.init(text)
    }

    package init(_ text: String) throws(DockerError) {
        var rest = Substring(text).utf8
        while let last = rest.last, Self.isBlank(last) { rest.removeLast() }
        while let first = rest.first, Self.isBlank(first) { rest.removeFirst() }
        guard !rest.isEmpty else { throw .noServer }
        guard !rest.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw .badServer }
        spelling = String(Substring(rest))
        address = Self.address(of: spelling)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func address(of text: String) -> Address? {
        var rest = text[...]
        var scheme: String?
        if let colon = text.utf8.place(of: "://".utf8) {
            scheme = text[..<colon.lowerBound].lowercased()
            rest = text[colon.upperBound...]
        }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        guard scheme != "", let (host, port) = Origin.split(authority: rest[..<end]) else { return nil }
        let path = String(rest[end...])
        let isHub = hubNames.contains(host.name) && (port == nil || port == 443)
        return Address(
            scheme: scheme, host: isHub ? hub ?? host : host, port: isHub ? nil : port,
            path: registryPaths.contains(path) ? "" : path)
    }

    /// docker/cli and others append these to a registry's address; every other path is a key of its own, such as the
    /// `/v1/access-token` that Docker Hub's login keeps.
    private static let registryPaths: Set<String> = ["", "/", "/v1", "/v1/", "/v2", "/v2/"]
    private static let hubNames = ["docker.io", "index.docker.io", "registry-1.docker.io"]
    private static let hub = Host("docker.io")

    /// Whether both spell one registry: host, port and path equal; the schemes too where both spell one, while a bare
    /// server is that host and port whatever its scheme.
    package func matches(_ other: DockerServer) -> Bool {
        guard let address, let theirs = other.address else { return spelling == other.spelling }
        return address.host == theirs.host && address.port == theirs.port && address.path == theirs.path
            && (address.scheme == nil || theirs.scheme == nil || address.scheme == theirs.scheme)
    }

    /// The origins whose host entry serves this registry, to be tried in order; none for a path of its own.
    ///
    /// A spelled scheme is that one. A bare server is https, and on loopback http as well: there, and only there, an
    /// entry may allow it. Docker Hub is asked for by each of its names. A missing port is the scheme's default, as in
    /// every origin.
    package var origins: [Origin] {
        guard let address, address.path.isEmpty else { return [] }
        let schemes = address.scheme.map { [$0] } ?? (address.host.isLoopback ? ["https", "http"] : ["https"])
        let hosts = address.host == Self.hub ? Self.hubNames.compactMap { Host($0) } : [address.host]
        return schemes.flatMap { scheme in
            hosts.compactMap { host in
                guard let port = address.port ?? Origin.defaultPort(of: scheme), scheme == "https" || scheme == "http"
                else { return nil }
                return Origin(scheme: scheme, host: host, port: port)
            }
        }
    }
}

extension DockerServer: CustomStringConvertible {
    package var description: String { spelling }
}
