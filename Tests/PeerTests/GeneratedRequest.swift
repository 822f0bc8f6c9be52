/// A request of git's to a helper, made up.
struct GeneratedRequest: Sendable, CustomStringConvertible {
    var operation: String
    var fields: [(key: String, value: String)]

    subscript(key: String) -> String? { fields.last { $0.key == key }?.value }

    /// What the helper reads.
    var input: String { fields.map { "\($0.key)=\($0.value)\n" }.joined() + "\n" }

    var description: String { "\(operation): \(fields.map { "\($0.key)=\($0.value)" }.joined(separator: " "))" }

    /// A host's port that is no plain number: `:0443`, `:ssh`, or the end of a bare IPv6 address.
    var hasOddPort: Bool {
        guard let host = self["host"], let colon = host.lastIndex(of: ":") else { return false }
        let port = host[host.index(after: colon)...]
        return UInt16(port).map { String($0) != port || $0 == 0 } ?? true
    }

    // MARK: Making them

    /// Some credentials are stored, then this and that is asked, stored and erased; all about a few names, so that most
    /// requests meet what others left.
    static func scenario(_ random: inout SeededGenerator) -> [GeneratedRequest] {
        let names = Names(&random)
        var requests = (0..<random.pick([1, 2, 2, 3])).map { _ in store(names, &random) }
        for _ in 0..<random.pick([3, 4, 5]) {
            switch random.pick(["get", "get", "get", "get", "erase", "store"]) {
            case "store": requests.append(store(names, &random))
            case let operation: requests.append(ask(operation, names, &random))
            }
        }
        // What is left in the end.
        requests.append(GeneratedRequest(operation: "get", fields: names.place(names.hosts[0], nil)))
        return requests
    }

    private struct Names {
        var scheme: String
        var hosts: [String]
        var paths: [String?]
        var users = ["bob", "eve", "bob", ""]
        var passwords = ["one", "two", "p w=é", ""]

        init(_ random: inout SeededGenerator) {
            scheme = random.pick(["https", "https", "https", "http", "smtp"])
            hosts = [
                "code.example.org", random.pick(["code.example.org:8443", "code.example.com", "Code.example.org"]),
            ]
            if random.isOnce(in: 6) {
                hosts.append(random.pick(["code.example.org:0443", "code.example.org:ssh", "[::1]", "[::1]:8080"]))
            }
            paths = random.isOnce(in: 3) ? [nil, "a/b.git", "a/c.git", ""] : [nil]
        }

        func place(_ host: String, _ path: String?) -> [(key: String, value: String)] {
            [("protocol", scheme), ("host", host)] + (path.map { [("path", $0)] } ?? [])
        }
    }

    private static func store(_ names: Names, _ random: inout SeededGenerator) -> GeneratedRequest {
        var request = GeneratedRequest(
            operation: "store", fields: names.place(random.pick(names.hosts), random.pick(names.paths)))
        if random.isOnce(in: 12) {
            request.fields.insert(("capability[]", "authtype"), at: 0)
            request.fields += [("authtype", "Bearer"), ("credential", random.pick(["c1", "c2"]))]
            return request
        }
        // Now and then something is missing.
        if !random.isOnce(in: 15) { request.fields.append(("username", random.pick(names.users))) }
        if !random.isOnce(in: 15) { request.fields.append(("password", random.pick(names.passwords))) }
        if random.isOnce(in: 6) {
            request.fields.append(("password_expiry_utc", random.pick(["4000000000", "1000000000", "soon", "0"])))
        }
        if random.isOnce(in: 6) { request.fields.append(("oauth_refresh_token", random.pick(["r1", "r=2"]))) }
        if random.isOnce(in: 15) { request.fields.append(("ephemeral", "1")) }
        if random.isOnce(in: 10) { request.fields.append(("unheard_of", "x")) }
        return request
    }

    private static func ask(
        _ operation: String, _ names: Names, _ random: inout SeededGenerator
    ) -> GeneratedRequest {
        var request = GeneratedRequest(
            operation: operation, fields: names.place(random.pick(names.hosts), random.pick(names.paths)))
        if random.isOnce(in: 20) { request.fields.remove(at: 0) }
        if random.isOnce(in: 4) { request.fields.insert(("capability[]", "authtype"), at: 0) }
        if random.isOnce(in: 2) { request.fields.append(("username", random.pick(names.users))) }
        if operation == "erase", random.isOnce(in: 2) {
            request.fields.append(("password", random.pick(names.passwords)))
        }
        if random.isOnce(in: 6) { request.fields.append(("wwwauth[]", "Basic realm=\"host=code.example.net\"")) }
        if random.isOnce(in: 20) { request.fields.append(("host", "code.example.org")) }
        return request
    }
}
