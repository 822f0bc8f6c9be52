import Foundation

/// The keyring as other programs see it: through secret-tool and the bus, never through code of ours.
extension World {
    /// Stores a secret as a person would by hand.
    package func storeSecret(_ secret: String, label: String, attributes: [String: String]) throws {
        let outcome = try run(.secretTool, ["store", "--label", label] + words(attributes), input: secret)
        guard outcome.exitCode == 0 else { throw MissingPart(description: "secret-tool store: \(outcome)") }
    }

    /// The secret of the item that has these attributes, byte for byte; nil when there is none.
    package func secret(_ attributes: [String: String]) throws -> String? {
        let outcome = try run(.secretTool, ["lookup"] + words(attributes))
        return outcome.exitCode == 0 ? outcome.text : nil
    }

    /// The object paths of all items, locked or not, that have these attributes.
    package func items(_ attributes: [String: String]) throws -> [String] {
        let dictionary = attributes.map { "'\($0.key)': '\($0.value)'" }.joined(separator: ", ")
        let answer = try callKeyring(
            "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.SearchItems", "@a{ss} {\(dictionary)}")
        return answer.matches(of: /'(\/[^']+)'/).map { String($0.1) }
    }

    /// The attributes of an item.
    package func attributes(ofItem path: String) throws -> [String: String] {
        let answer = try property("Attributes", of: path)
        return Dictionary(
            answer.matches(of: /'([^']*)': '([^']*)'/).map { (String($0.1), String($0.2)) }, uniquingKeysWith: { $1 })
    }

    package func label(ofItem path: String) throws -> String {
        try property("Label", of: path).firstMatch(of: /<(?:'(.*)'|"(.*)")>/).map { String($0.1 ?? $0.2 ?? "") } ?? ""
    }

    /// Attributes, label and all else that an item tells without its secret, as the bus has it.
    package func properties(ofItem path: String) throws -> String {
        try callKeyring(path, "org.freedesktop.DBus.Properties.GetAll", "org.freedesktop.Secret.Item")
    }

    /// The collection that the alias `default` names; nil when there is none.
    private func defaultCollection() throws -> String? {
        try callKeyring("/org/freedesktop/secrets", "org.freedesktop.Secret.Service.ReadAlias", "default")
            .firstMatch(of: /'(\/[^']+)'/).map { String($0.1) }
    }

    /// Locks the default collection.
    package func lockKeyring() throws {
        guard let path = try defaultCollection() else { throw MissingPart(description: "no default collection") }
        try callKeyring("/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock", "[objectpath '\(path)']")
    }

    /// Is there a default collection, and is it open?
    package func isKeyringUnlocked() throws -> Bool {
        guard let path = try defaultCollection() else { return false }
        return try callKeyring(
            path, "org.freedesktop.DBus.Properties.Get", "org.freedesktop.Secret.Collection", "Locked"
        ).contains("false")
    }

    /// Lets the bus start a Secret Service by its name, with this command; with nil it no longer does.
    package func startKeyringByName(_ command: [String]?) throws {
        let file = "services/org.freedesktop.secrets.service"
        guard let command else {
            try FileManager.default.removeItem(atPath: scratch.path(file))
            return
        }
        try scratch.write(
            "[D-BUS Service]\nName=org.freedesktop.secrets\nExec=\(command.joined(separator: " "))\n", to: file)
    }

    private func property(_ name: String, of path: String) throws -> String {
        try callKeyring(
            path, "org.freedesktop.DBus.Properties.Get", "org.freedesktop.Secret.Item", name)
    }

    @discardableResult
    private func callKeyring(_ path: String, _ method: String, _ arguments: String...) throws -> String {
        let outcome = try run(
            .gdbus,
            ["call", "--session", "-d", "org.freedesktop.secrets", "-o", path, "-m", method, "--"] + arguments)
        guard outcome.exitCode == 0 else { throw MissingPart(description: "gdbus call \(method): \(outcome)") }
        return outcome.text
    }

    private func words(_ attributes: [String: String]) -> [String] {
        attributes.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    }
}
