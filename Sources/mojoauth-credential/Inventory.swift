import HelperProtocol
import JSON
import Keyring
import Program
import SessionStore

/// The items of the keyring that are ours or kept by us for others, described without their secrets.
struct Inventory {
    /// What an item is, as people and scripts are told.
    enum Kind: String, CaseIterable {
        case login
        case damagedLogin = "damaged login"
        case clientSecret = "client secret"
        case git
        case docker
        /// Locked, so that only its protocol is to be seen: git's, or another program's.
        case network = "web password"
    }

    struct Entry {
        var kind: Kind
        /// In the order in which they are told: `profile`, `issuer`, `client_id`, or `host`, `path`, `user`.
        var facts: [(name: String, value: String)]
        /// The label of its collection; may be empty.
        var keyring: String
    }

    private(set) var entries: [Entry] = []
    /// Items that are locked: what they are about is not to be seen.
    private(set) var locked: [(kind: Kind, count: Int, keyring: String)] = []

    private let client: SecretServiceClient
    private var labels: [String: String] = [:]

    init(of client: SecretServiceClient) throws(KeyringError) {
        self.client = client
        for (kind, name) in [
            (Kind.login, SessionKey.Kind.authState), (.damagedLogin, .damagedAuthState), (.clientSecret, .clientSecret),
        ] {
            try add(kind, ["application": SessionStore.application, "kind": name.rawValue], Self.login)
        }
        try add(.git, GitTypedItem.searchAllAttributes, Self.typed)
        // Git's items have no attribute in common but the protocol; the schema must not be searched for.
        for name in ["https", "http", "smtp", "smtps", "imap", "imaps"] {
            try add(.git, ["protocol": name], whileLocked: .network, Self.git)
        }
        try add(.docker, DockerStoredItem.searchAttributes, Self.docker)
    }

    private typealias Describe = ([String: String]) -> [(name: String, value: String)]?

    private mutating func add(
        _ kind: Kind, _ attributes: [String: String], whileLocked: Kind? = nil, _ describe: Describe
    ) throws(KeyringError) {
        for item in try client.search(attributes) {
            let label = try label(of: item)
            if item.isLocked {
                count(whileLocked ?? kind, in: label)
            } else if let found = try client.attributes(of: item), let facts = describe(found) {
                entries.append(Entry(kind: kind, facts: facts, keyring: label))
            }
        }
    }

    private mutating func count(_ kind: Kind, in keyring: String) {
        if let index = locked.firstIndex(where: { $0.kind == kind && $0.keyring == keyring }) {
            locked[index].count += 1
        } else {
            locked.append((kind, 1, keyring))
        }
    }

    /// A keyring has many items and few collections.
    private mutating func label(of item: Item) throws(KeyringError) -> String {
        let folder = String(item.path.prefix(upTo: item.path.lastIndex(of: "/") ?? item.path.startIndex))
        if let known = labels[folder] { return known }
        let facts = try client.collection(of: item)
        let label = facts.map { $0.isEphemeral ? "session" : $0.label } ?? ""
        labels[folder] = label
        return label
    }

    // MARK: What attributes say

    private static func login(_ attributes: [String: String]) -> [(name: String, value: String)]? {
        ["profile", "issuer", "client_id"].compactMap { name in attributes[name].map { (name, $0) } }
    }

    private static func typed(_ attributes: [String: String]) -> [(name: String, value: String)]? {
        address(attributes["protocol"], attributes["host"], attributes["path"], attributes["username"])
    }

    private static func git(_ attributes: [String: String]) -> [(name: String, value: String)]? {
        guard let schema = attributes["xdg:schema"], GitStoredItem.schemaNames.contains(schema) else { return nil }
        let host = attributes["server"].map { $0 + (attributes["port"].map { ":\($0)" } ?? "") }
        return address(attributes["protocol"], host, attributes["object"], attributes["user"])
    }

    private static func docker(_ attributes: [String: String]) -> [(name: String, value: String)]? {
        DockerStoredItem.entry(attributes: attributes).map {
            [("host", $0.server.spelling), ("user", $0.username)]
        }
    }

    private static func address(
        _ scheme: String?, _ host: String?, _ path: String?, _ user: String?
    ) -> [(name: String, value: String)] {
        var facts = [(name: "host", value: "\(scheme ?? "?")://\(host ?? "?")")]
        if let path, !path.isEmpty { facts.append(("path", path)) }
        if let user, !user.isEmpty { facts.append(("user", user)) }
        return facts
    }

    // MARK: Telling

    var text: String {
        if entries.isEmpty, locked.isEmpty { return "the keyring holds nothing of ours\n" }
        var lines: [(kind: String, text: String)] = []
        for entry in entries {
            let words = entry.facts.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
            lines.append((entry.kind.rawValue, "\(words) (keyring \"\(entry.keyring)\")"))
        }
        for group in locked {
            let items = group.count == 1 ? "1 item" : "\(group.count) items"
            lines.append((group.kind.rawValue, "\(items), locked (keyring \"\(group.keyring)\")"))
        }
        let width = lines.map { $0.kind.count }.max() ?? 0
        return lines.map { line in
            line.kind + String(repeating: " ", count: width - line.kind.count + 2) + DisplayText.clean(line.text) + "\n"
        }.joined()
    }

    var json: JSONValue {
        let items = entries.map { entry in
            var object = JSONObject([.init(name: "kind", value: .string(entry.kind.rawValue))])
            for fact in entry.facts { object[fact.name] = .string(fact.value) }
            object["keyring"] = .string(entry.keyring)
            return JSONValue.object(object)
        }
        let groups = locked.map { group in
            JSONValue.object(
                JSONObject([
                    .init(name: "kind", value: .string(group.kind.rawValue)),
                    .init(name: "count", value: .integer(group.count)),
                    .init(name: "keyring", value: .string(group.keyring)),
                ]))
        }
        return ["items": .array(items), "locked": .array(groups)]
    }
}
