import Foundation

/// The real KeePassXC as the Secret Service, without a screen: its database is unlocked and open to programs.
package final class KeePassXC {
    private static let password = "correct horse"

    private let server: Server

    /// - Parameter world: one with a bus and without a keyring. Returns once its collection is unlocked.
    package init(in world: World) throws {
        let scratch = world.scratch
        let database = try Self.makeDatabase(in: world)
        let configuration = try scratch.write(
            """
            [General]
            ConfigVersion=2
            SingleInstance=false
            UpdateCheckMessageShown=true
            [GUI]
            CheckForUpdates=false
            [FdoSecrets]
            Enabled=true
            ShowNotification=false
            ConfirmAccessItem=false
            ConfirmDeleteItem=false
            UnlockBeforeSearch=false

            """, to: "keepassxc/keepassxc.ini")
        server = try Server(
            Tool.keepassxc.path(), ["--config", configuration, "--pw-stdin", database],
            environment: world.environment.changed(by: ["QT_QPA_PLATFORM": "offscreen", "DISPLAY": nil]),
            input: try scratch.write(Self.password + "\n", to: "keepassxc/password"))
        let name = "org.freedesktop.secrets"
        let waiting = try world.run(.gdbus, ["wait", "--session", "--timeout", "20", name], timeout: 30)
        guard waiting.exitCode == 0 else {
            throw MissingPart(description: "KeePassXC did not come up: \(waiting)\n\(server.log)")
        }
        // It owns the name before its database is open; it tells nobody when that is.
        let deadline = Date(timeIntervalSinceNow: 20)
        while (try? world.isKeyringUnlocked()) != true {
            guard server.child.isRunning, Date() < deadline else {
                throw Overdue(description: "KeePassXC did not open its database:\n\(server.log)")
            }
            usleep(20_000)
        }
    }

    deinit {
        // It does not heed SIGTERM while it shows a dialog.
        server.child.signal(SIGKILL)
    }

    /// A database whose root group programs may use: that is a mark in its XML.
    private static func makeDatabase(in world: World) throws -> String {
        let (base, marked) = (world.scratch.path("keepassxc/base.kdbx"), world.scratch.path("keepassxc/store.kdbx"))
        try world.scratch.folder("keepassxc")
        func run(_ arguments: [String], input: String) throws -> String {
            let outcome = try world.run(.keepassxcCLI, arguments, input: input)
            guard outcome.exitCode == 0 else { throw MissingPart(description: "keepassxc-cli: \(outcome)") }
            return outcome.text
        }
        _ = try run(["db-create", "-p", "-t", "100", base], input: "\(password)\n\(password)\n")
        let text = try run(["export", "-q", "-f", "xml", base], input: password + "\n")
        guard let encoded = text.firstMatch(of: /<Root>\s*<Group>\s*<UUID>([^<]+)/)?.1,
            let bytes = Data(base64Encoded: String(encoded)), bytes.count == 16
        else { throw MissingPart(description: "keepassxc-cli exports no root group:\n\(text)") }
        let uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString.lowercased()
        let mark =
            "<CustomData><Item><Key>FDO_SECRETS_EXPOSED_GROUP</Key><Value>{\(uuid)}</Value></Item></CustomData>"
        let xml = try world.scratch.write(
            text.replacing("<Binaries/>", with: "<Binaries/>" + mark, maxReplacements: 1), to: "keepassxc/store.xml")
        _ = try run(["import", "-q", "-p", "-t", "100", xml, marked], input: "\(password)\n\(password)\n")
        return marked
    }
}
