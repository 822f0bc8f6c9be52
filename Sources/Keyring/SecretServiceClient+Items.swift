import CGLib
import CSecret
import Sensitive

extension SecretServiceClient {
    /// Items that carry all of `attributes` (and perhaps more), unlocked ones first.
    ///
    /// Search without `xdg:schema`: a keyring that was read from disk and is still locked shows nothing when it is
    /// among the attributes, not even locked items.
    package func search(
        _ attributes: [String: String], for purpose: SearchPurpose = .looking
    ) throws(KeyringError) -> [Item] {
        try search(forEach: [attributes], for: purpose)[0]
    }

    /// The same for several sets of attributes, all at once.
    package func search(
        forEach sets: [[String: String]], for purpose: SearchPurpose = .looking
    ) throws(KeyringError) -> [[Item]] {
        var found = try foundItems(sets, for: purpose)
        if found == nil {
            // A busy gnome-keyring 42 was seen to deny, right after it had made an item, that there is anything to ask;
            // a moment later it answers.
            g_usleep(20_000)
            found = try foundItems(sets, for: purpose)
        }
        guard let found else { throw .noService(reason: "\(Self.busName) has no \(Self.servicePath)") }
        return found
    }

    private func foundItems(
        _ sets: [[String: String]], for purpose: SearchPurpose
    ) throws(KeyringError) -> [[Item]]? {
        let calls = sets.map {
            MethodCall(
                Self.servicePath, Self.serviceInterface, "SearchItems", NewVariant.tuple(NewVariant.dictionary($0)),
                reply: "(aoao)")
        }
        var found: [[Item]] = []
        for answer in try answers(calls, for: purpose) {
            switch answer {
            case .success(let answer):
                found.append(
                    answer.child(0).strings.map { Item(path: $0, isLocked: false) }
                        + answer.child(1).strings.map { Item(path: $0, isLocked: true) })
            case .failure(let reported):
                if reported.meansNoObject { return nil }
                throw Self.keyringError(from: reported)
            }
        }
        return found
    }

    /// Like ``search(_:for:)``, with every locked item unlocked.
    package func searchUnlocked(
        _ attributes: [String: String], for purpose: SearchPurpose = .looking
    ) throws(KeyringError) -> [Item] {
        try unlocked(search(attributes, for: purpose))
    }

    /// The same items, with every locked one unlocked.
    package func unlocked(_ items: [Item]) throws(KeyringError) -> [Item] {
        let locked = items.filter(\.isLocked)
        guard !locked.isEmpty else { return items }
        try unlock(locked.map(\.path))
        return items.map { Item(path: $0.path, isLocked: false) }
    }

    /// The attributes of an unlocked item; nil when it has gone.
    package func attributes(of item: Item) throws(KeyringError) -> [String: String]? {
        try property("Attributes", of: item.path, Self.itemInterface)?.dictionary
    }

    /// The label of an item; nil when it has gone.
    package func label(of item: Item) throws(KeyringError) -> String? {
        try property("Label", of: item.path, Self.itemInterface)?.string
    }

    /// When an item was last changed, in seconds since the epoch; nil when it has gone.
    package func modified(_ item: Item) throws(KeyringError) -> UInt64? {
        try property("Modified", of: item.path, Self.itemInterface)?.number
    }

    /// The secret of an unlocked item, byte for byte; nil when the item has gone.
    package func secret(of item: Item) throws(KeyringError) -> Secret? {
        let answer = try callInSession(
            item.path, Self.itemInterface, "GetSecret", reply: "((oayays))"
        ) { () throws(KeyringError) in
            NewVariant.tuple(NewVariant.path(try readingSession()))
        }
        guard let encoded = answer?.child(0) else { return nil }
        if try openPlainSession() != nil {
            // (session, parameters, value, content type)
            return encoded.child(2).withBytes { Secret($0) }
        }
        guard let value = secret_service_decode_dbus_secret(try service(), encoded.pointer) else {
            throw .refused(reason: "the secret could not be decrypted")
        }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        var length: gsize = 0
        let bytes = secret_value_get(value, &length)
        return Secret(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
    }

    /// The path of the session that a secret is read over.
    private func readingSession() throws(KeyringError) -> String {
        if let plain = try openPlainSession() { return plain }
        guard let path = secret_service_get_session_dbus_path(try service()) else {
            throw .refused(reason: "no session")
        }
        return String(cString: path)
    }

    /// Keeps a secret under exactly these attributes: in every item that has them, else in a new one.
    ///
    /// An existing item is changed in place, because KeePassXC asks a person before it replaces one; and the service is
    /// never asked to replace, because gnome-keyring would take any item that has more attributes than these.
    ///
    /// - Parameters:
    ///   - schema: of a new item.
    ///   - otherSchemas: items of these are changed as well; those of any other schema are somebody else's.
    ///   - collection: where a new item goes.
    ///   - moves: an item in another collection is deleted once the secret is in this one; else it is changed there.
    package func store(
        _ secret: Secret, attributes: [String: String], schema: String, otherSchemas: Set<String> = [], label: String,
        in collection: Collection = .default, moves: Bool = false
    ) throws(KeyringError) {
        var existing = try itemsToChange(attributes: attributes, schema: schema, otherSchemas: otherSchemas)
        var leftBehind: [Item] = []
        if moves, !existing.isEmpty {
            let folder = try path(of: collection) + "/"
            leftBehind = existing.filter { !$0.path.hasPrefix(folder) }
            existing.removeAll { !$0.path.hasPrefix(folder) }
        }
        var isKept = false
        for item in existing where try update(item, secret: secret) { isKept = true }
        if !isKept {
            try create(secret, attributes: attributes, schema: schema, label: label, in: collection)
        }
        for item in leftBehind { try delete(item) }
    }

    /// The items that ``store(_:attributes:schema:otherSchemas:label:in:moves:)`` would change, unlocked.
    package func itemsToChange(
        attributes: [String: String], schema: String, otherSchemas: Set<String> = []
    ) throws(KeyringError) -> [Item] {
        var items: [Item] = []
        for item in try searchUnlocked(attributes, for: .writing) {
            guard let found = try self.attributes(of: item), found.matches(attributes) else { continue }
            // A service may keep no schema.
            let name = found["xdg:schema"] ?? schema
            if name == schema || otherSchemas.contains(name) { items.append(item) }
        }
        return items
    }

    /// Keeps a secret in a new item, beside those that have the same attributes.
    package func add(
        _ secret: Secret, attributes: [String: String], schema: String, label: String,
        in collection: Collection = .default
    ) throws(KeyringError) {
        try create(secret, attributes: attributes, schema: schema, label: label, in: collection)
    }

    /// Replaces the secret of an item.
    ///
    /// - Returns: false when the item has gone.
    package func update(_ item: Item, secret: Secret) throws(KeyringError) -> Bool {
        try callInSession(item.path, Self.itemInterface, "SetSecret", reply: "()") { () throws(KeyringError) in
            NewVariant.tuple(try encode(secret))
        } != nil
    }

    /// Deletes an item; one that has gone is deleted already.
    package func delete(_ item: Item) throws(KeyringError) {
        guard let answer = try call(item.path, Self.itemInterface, "Delete", nil, reply: "(o)") else { return }
        _ = try prompt(answer.child(0).string)
    }

    private func create(
        _ secret: Secret, attributes: [String: String], schema: String, label: String, in collection: Collection
    ) throws(KeyringError) {
        var all = attributes
        all["xdg:schema"] = schema
        func create(at path: String) throws(KeyringError) -> Bool {
            let answer = try callInSession(
                path, Self.collectionInterface, "CreateItem", reply: "(oo)"
            ) { () throws(KeyringError) in
                let properties = NewVariant.properties([
                    Self.itemInterface + ".Label": NewVariant.string(label),
                    Self.itemInterface + ".Attributes": NewVariant.dictionary(all),
                ])
                return NewVariant.tuple(properties, try encode(secret), NewVariant.bool(false))
            }
            guard let answer else { return false }
            _ = try prompt(answer.child(1).string)
            return true
        }
        switch collection {
        case .session: guard try create(at: path(of: .session)) else { throw .noDefaultCollection }
        case .default:
            // The alias stands for the collection that it names: one question fewer.
            if try create(at: Self.servicePath + "/aliases/default") { return }
            guard try create(at: path(of: .default)) else { throw .noDefaultCollection }
        }
    }

    /// The secret for the open session, as a floating `(oayays)`. text/plain, because other content types make
    /// secret-tool and libsecret's password calls find nothing.
    func encode(_ secret: Secret) throws(KeyringError) -> OpaquePointer? {
        let service = try service()
        let value = secret.withBytes {
            secret_value_new($0.bindMemory(to: CChar.self).baseAddress, gssize($0.count), "text/plain")
        }
        defer { secret_value_unref(value.map { UnsafeMutableRawPointer($0) }) }
        return secret_service_encode_dbus_secret(service, value)
    }

    func property(_ name: String, of path: String, _ interface: String) throws(KeyringError) -> Variant? {
        try call(
            path, "org.freedesktop.DBus.Properties", "Get",
            NewVariant.tuple(NewVariant.string(interface), NewVariant.string(name)), reply: "(v)")?.child(0).content
    }
}

extension [String: String] {
    /// Are these an item's attributes, but for what the service adds of its own?
    fileprivate func matches(_ asked: [String: String]) -> Bool {
        let own: Set<String> = ["xdg:schema", "gkr:compat:hashed", "Title", "Uuid", "Path", "URL", "UserName", "Notes"]
        return filter { !own.contains($0.key) || asked[$0.key] != nil } == asked
    }
}
