import Foundation

/// The real KeePassXC as the Secret Service, without a screen: its database is unlocked and open to programs.
package final class KeePassXC {
    private static let password = "correct horse"

    private let (configuration, database): (String, String)
    private let unlocksBeforeSearch: Bool
    private var server: Server?

    /// - Parameters:
    ///   - world: one with a bus and without a keyring. Returns once its collection is unlocked.
    ///   - unlocksBeforeSearch: Does it ask a person to unlock it whenever somebody searches, and answer nobody meanwhile?
    ///     That is what it does unless it is told otherwise; else it has no items while it is locked.
    package init(in world: World, unlocksBeforeSearch: Bool = false) throws {
        self.unlocksBeforeSearch = unlocksBeforeSearch
        database = try Self.makeDatabase(in: world)
        configuration = try world.scratch.write(
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
            UnlockBeforeSearch=\(unlocksBeforeSearch)

            """, to: "keepassxc/keepassxc.ini")
        try open(in: world)
    }

    /// Starts it, and again where nobody can type into its window. Returns once its collection is there, unlocked.
    ///
    /// - Parameter isLocked: it comes up locked, and returns once its collection is there.
    package func open(in world: World, isLocked: Bool = false) throws {
        end()
        let server = try Server(
            Tool.keepassxc.path(), ["--config", configuration] + (isLocked ? [] : ["--pw-stdin"]) + [database],
            environment: world.environment.changed(by: ["QT_QPA_PLATFORM": "offscreen", "DISPLAY": nil]),
            input: try world.scratch.write(Self.password + "\n", to: "keepassxc/password"))
        self.server = server
        let name = "org.freedesktop.secrets"
        let waiting = try world.run(.gdbus, ["wait", "--session", "--timeout", "20", name], timeout: 30)
        guard waiting.exitCode == 0 else {
            throw MissingPart(description: "KeePassXC did not come up: \(waiting)\n\(server.log)")
        }
        if isLocked, unlocksBeforeSearch { return }
        // It owns the name before its database is open; it tells nobody when that is.
        let deadline = Date(timeIntervalSinceNow: 20)
        while (try? world.isKeyringUnlocked()) != !isLocked {
            guard server.child.isRunning, Date() < deadline else {
                throw Overdue(description: "KeePassXC did not open its database:\n\(server.log)")
            }
            usleep(20_000)
        }
    }

    deinit { end() }

    /// On SIGTERM it saves; while it shows a dialog it does not heed that.
    private func end() {
        server?.child.signal(SIGTERM)
        _ = server?.child.wait(seconds: 5)
        server?.child.signal(SIGKILL)
        server = nil
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
