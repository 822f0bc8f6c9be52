import Foundation
import SessionStore
import TestSupport
import Testing

/// Every row of every protocol, on the real program: exit code, both streams, and a keyring that is what it was.
@Suite(.serialized) struct HelperRowTests {
    @Test(arguments: HelperRow.State.allCases) func everyRowAnswersAsItShall(_ state: HelperRow.State) throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        // Labels follow the order of the origins: http is host0.
        try world.configure(sandbox, hosts: ["https://\(HelperRow.host)": [:], "http://127.0.0.1:3999": [:]])
        var values = [HelperRow.issuer: sandbox.issuer]
        if state != .signedOut { values.merge(try Self.signIn(world)) { $1 } }
        switch state {
        case .signedIn, .signedOut: break
        case .lockedKeyring: try world.lockKeyring()
        case .staleWithoutIssuer:
            let token = try #require(values[HelperRow.token])
            try world.gitCredential("erase", "https://\(HelperRow.host)", ["password": token])
            sandbox.stop()
        }
        let before = try Self.contents(world)
        let rows = HelperRow.tables.joined().filter { $0.state == state }
        try #require(!rows.isEmpty)
        for row in rows {
            let filled = { (text: String) in values.reduce(text) { $0.replacing($1.key, with: $1.value) } }
            // No terminal: a session of its own.
            let outcome = try world.run(
                "setsid", ["--wait"] + row.words, input: filled(row.input), environment: row.environment)
            #expect(outcome.exitCode == row.exitCode, "\(row.name): \(outcome)")
            #expect(outcome.text == filled(row.output), "\(row.name): \(outcome)")
            #expect(outcome.errors.isEmpty == row.errors.isEmpty, "\(row.name): \(outcome)")
            for words in row.errors.map(filled) {
                #expect(words.isEmpty || outcome.errors.contains(words), "\(row.name): \(outcome)")
            }
            #expect(!outcome.errors.contains("eyJ"), "\(row.name): a token on standard error")
            #expect(outcome.seconds < 10, "\(row.name)")
        }
        #expect(try Self.contents(world) == before)
    }

    private static func signIn(_ world: World) throws -> [String: String] {
        let login = try world.run("mojoauth-credential", ["login"])
        try #require(login.exitCode == 0, "\(login)")
        let answer = try world.gitCredential("get", "https://\(HelperRow.host)").attributes
        let seconds = try #require(answer["password_expiry_utc"].flatMap { TimeInterval($0) })
        return [
            HelperRow.token: try #require(answer["password"]),
            HelperRow.expirySeconds: String(Int(seconds)),
            HelperRow.expiry: ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: seconds)),
        ]
    }

    /// Every item with its attributes and its secret; a locked one has none.
    private static func contents(_ world: World) throws -> [String] {
        try world.items([:]).sorted().map { path in
            let attributes = try world.attributes(ofItem: path)
            return try "\(path) \(attributes.sorted { $0.key < $1.key }) \(world.secret(attributes) ?? "")"
        }
    }

    /// On a desktop, where git would open a browser.
    @Test func nobodySignsInInTheMidstOfTheirWork() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        try world.configure(sandbox, hosts: ["https://\(HelperRow.host)": [:]])
        // Another sandbox may have had this port a moment ago, and its login may have been let pass.
        AbandonedLogin.forget(SessionKey(profile: "default", issuer: sandbox.issuer, clientID: sandbox.clientID))
        world.set(["DISPLAY": ":0"])
        let visits = { try sandbox.requests().count { $0.path.hasPrefix("/oauth/authorize") } }
        for table in [
            HelperRow.bazelRows, HelperRow.terraformRows, HelperRow.keyringRows, HelperRow.goRows, HelperRow.tokenRows,
        ] {
            let rows = table.filter { $0.state == .signedOut }
            try #require(!rows.isEmpty)
            for row in rows {
                let outcome = try world.run(
                    "setsid", ["--wait"] + row.words, input: row.input, environment: row.environment)
                #expect(outcome.exitCode == row.exitCode && outcome.text == row.output, "\(row.name): \(outcome)")
                #expect(try visits() == 0, "\(row.name)")
            }
        }
        let git = try world.gitCredential("get", "https://\(HelperRow.host)")
        #expect(git.attributes["password"] != nil, "\(git)")
        #expect(try visits() == 1)
    }

    /// As many bad rows as good, and of each protocol enough.
    @Test func everyProtocolHasItsRows() {
        for table in HelperRow.tables {
            #expect(
                table.count >= 15 && Set(table.map(\.state)) == Set(HelperRow.State.allCases),
                "\(table.first?.name ?? "")")
            #expect(Set(table.map(\.name)).count == table.count)
        }
    }
}
