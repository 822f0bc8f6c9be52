import Foundation
import Testing
import TestSupport

/// Everything that can be wrong with a keyring, and every operation under it: how long it takes, its exit code, what it
/// says, and what is in the keyring afterwards.
///
/// `make test` runs every fault with the operations that differ; `make torture` runs all of them, and waits for the two
/// minutes of a prompt.
@Suite struct KeyringFaultTests {
    private static let isTorture = ProcessInfo.processInfo.environment["TORTURE"] == "full"

    static let faults = KeyringFault.table.filter { isTorture || !$0.isForTortureAlone }

    @Test(arguments: faults) func isSurvived(_ fault: KeyringFault) throws {
        let operations = fault.operations.filter { Self.isTorture || fault.sample?.contains($0.name) ?? true }
        let isEvery = operations.count == KeyringOperation.all.count
        var row = TortureTable.Row(
            fault: "keyring: \(fault.name)",
            operations: isEvery ? "every operation" : operations.map(\.name).joined(separator: ", "))
        defer { TortureTable.shared.add(row) }
        do {
            let stage = try KeyringStage(fault.service)
            switch fault.manner {
            case .together: try run(operations, under: fault, on: stage, &row)
            case .inTurn: for operation in operations { try run([operation], under: fault, on: stage, &row) }
            }
        } catch {
            // What could not be looked at may be gone.
            row.lost += 1
            throw error
        }
    }

    /// Nobody waits for a dead daemon once for everybody who came before.
    @Test func refreshesDoNotStandInLine() throws {
        let signedIn = try SignedIn()
        signedIn.world.keyring?.freeze()
        let running = try (0..<4).map { _ in try signedIn.world.start("mojoauth-credential", ["refresh"]) }
        for execution in running {
            let outcome = try execution.finish(within: 40)
            #expect(outcome.exitCode == 69 && outcome.seconds < 6.5, "\(outcome)")
            #expect(outcome.errors.contains(KeyringFault.silent), "\(outcome)")
        }
        signedIn.world.keyring?.thaw()
        #expect(try signedIn.sandbox.refreshes() == 0)
    }

    /// A command that needs the keyring three times asks the person once.
    @Test func aDismissedPromptIsNotOpenedAgain() throws {
        let signedIn = try SignedIn()
        let world = signedIn.world
        // Whoever is asked a second time says yes.
        let prompter = try MockPrompter(in: world, [.cancel, .password(KeyringDaemon.password)])
        world.keyring?.kill()
        try world.startKeyring(prompter: prompter)
        try world.lockKeyring()
        let outcome = try world.run("mojoauth-credential", ["logout", "--force"])
        #expect(outcome.exitCode == 69 && outcome.errors.contains(KeyringFault.dismissed), "\(outcome)")
        #expect(try signedIn.state().isEmpty == false)
    }

    /// Who needs the bus: a helper, a command, and the child that a helper starts.
    enum Seeker: String, CaseIterable {
        case get
        case getOfARefusedToken
        case status
        case storeOfAForeignHost
    }

    /// What systemd makes for each person is found without any variable: here in a mount namespace, where a `/run` of the
    /// test's own lies.
    @Test(arguments: Seeker.allCases, [true, false]) func theBusOfThePersonIsFound(by seeker: Seeker, isThere: Bool)
        throws
    {
        let signedIn = try SignedIn()
        let world = signedIn.world
        let (foreign, token) = ("https://code.example.org", try signedIn.token())
        let words: (program: String, argument: String, input: String)
        switch seeker {
        case .get: words = ("git-credential-mojoauth", "get", World.gitRequest(SignedIn.host))
        case .getOfARefusedToken:
            words = ("git-credential-mojoauth", "get", World.gitRequest(SignedIn.host))
            try world.gitCredential("erase", SignedIn.host, ["username": "oauth2", "password": token])
        case .status: words = ("mojoauth-credential", "status", "")
        case .storeOfAForeignHost:
            words = (
                "git-credential-mojoauth", "store",
                World.gitRequest(foreign, ["username": "bob", "password": "canary-of-bob"])
            )
        }
        let address = try #require(world.bus).address
        let socket = try #require(address.firstMatch(of: /unix:path=([^,]+)/)?.1)
        let (user, folder) = (geteuid(), "/run/user/\(geteuid())")
        let script = """
            mount -t tmpfs none /run && mkdir -p \(folder) && \(isThere ? "ln -s '\(socket)' \(folder)/bus" : ":") &&
            exec unshare --user --map-user=\(user) --map-group=\(getegid()) \(words.program) \(words.argument)
            """
        let outcome = try world.run(
            "unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", script], input: words.input,
            environment: ["DBUS_SESSION_BUS_ADDRESS": nil, "XDG_RUNTIME_DIR": nil])
        #expect((outcome.exitCode == 0) == isThere, "\(outcome)")
        #expect(outcome.errors.contains("no session bus") == !isThere, "\(outcome)")
        let given = outcome.attributes["password"]
        switch seeker {
        case .get: #expect(given == (isThere ? token : nil), "\(outcome)")
        case .getOfARefusedToken:
            #expect((given != nil) == isThere && given != token, "\(outcome)")
            #expect(try signedIn.sandbox.refreshes() == (isThere ? 1 : 0))
        case .status: break
        case .storeOfAForeignHost:
            #expect(
                try world.gitCredential("get", foreign).attributes["password"] == (isThere ? "canary-of-bob" : nil))
        }
    }

    /// Neither variables nor another spelling of the bus make two askers of two processes: one waits for the other, and
    /// finds an open keyring.
    @Test func thePersonIsAskedOnceWhateverTheEnvironment() throws {
        let signedIn = try SignedIn()
        let world = signedIn.world
        let prompter = try MockPrompter(in: world, [.delay(700), .password(KeyringDaemon.password)])
        world.keyring?.kill()
        try world.startKeyring(prompter: prompter)
        try world.lockKeyring()
        let address = try #require(world.bus).address
        let bare = try #require(address.split(separator: ",").first.map(String.init))
        #expect(bare != address)
        let environments = [
            ["DBUS_SESSION_BUS_ADDRESS": bare], ["XDG_RUNTIME_DIR": try world.scratch.folder("another")],
            ["XDG_STATE_HOME": try world.scratch.folder("state"), "TMPDIR": world.scratch.path],
        ]
        let request = World.gitRequest(SignedIn.host)
        let running = try environments.map {
            try world.start("git-credential-mojoauth", ["get"], input: request, environment: $0)
        }
        for execution in running {
            let outcome = try execution.finish(within: 30)
            #expect(outcome.attributes["password"] != nil && outcome.errors.isEmpty, "\(outcome)")
        }
    }

    private func run(
        _ operations: [KeyringOperation], under fault: KeyringFault, on stage: KeyringStage,
        _ row: inout TortureTable.Row
    ) throws {
        try stage.remember()
        let items = try stage.items()
        try fault.strike(stage)
        let (before, visits) = (stage.remembered, try stage.visits())
        let environment = fault.environment(stage.world)
        let running = try operations.map { try $0.start(in: stage.world, environment: environment) }
        try fault.meanwhile(stage)
        var expected = before
        var ended: [(operation: KeyringOperation, outcome: Outcome)] = []
        for (operation, execution) in zip(operations, running) {
            let outcome = try execution.finish(within: fault.limit + 20)
            let expectation = fault.expectation(operation)
            ended.append((operation, outcome))
            (row.runs, row.longest) = (row.runs + 1, max(row.longest, outcome.seconds))
            check(outcome, expectation, operation, fault)
            guard expectation.takesEffect || expectation.comesLate else { continue }
            switch operation.effect {
            case .reads: if fault.renews || expectation.comesLate { expected[.login] = nil }
            case .removes(let kind): expected[kind] = []
            case .changes(let kind): expected[kind] = nil
            }
        }
        if fault.cutsRenewal { #expect(!stage.isRenewing, "\(fault.name), \(operations.map(\.name))") }
        func compare(_ contents: [KeyringStage.Kind: [String]], _ place: String) {
            let wrong = KeyringStage.Kind.allCases.filter { kind in
                if let secrets = expected[kind] { return contents[kind] != secrets }
                return contents[kind]?.count != 1 || contents[kind] == before[kind]
            }
            row.lost += wrong.count
            #expect(wrong.isEmpty, "\(fault.name), \(operations.map(\.name)), \(place): \(wrong)")
        }
        if fault.goesOn {
            try stage.goOn()
            // A locked keyring shows no secrets; on disk there is what it has done.
            if try stage.world.isKeyringUnlocked() { compare(try stage.contents(), "gone on") }
            #expect(try stage.visits() == visits || operations.map(\.name) == ["login"])
        }
        if fault.recovers { try stage.recover() }
        let after = try stage.contents()
        compare(after, "in the end")
        for (operation, outcome) in ended {
            let expectation = fault.expectation(operation)
            let row = "\(fault.name), \(operation.name): \(outcome)"
            if expectation.takesEffect, !fault.recovers, case .changes(let kind) = operation.effect {
                // In place: one that is replaced is another to KeePassXC, and to whoever has its path.
                #expect(try stage.items()[kind] == items[kind], "\(row)")
            }
            if operation.name == "git get", expectation.takesEffect || expectation.comesLate {
                let token = try #require(outcome.attributes["password"], "\(row)")
                #expect(after[.login]?.first?.contains(token) == true, "\(row)")
            }
        }
        let leaked = try stage.leaks(
            in: ended.flatMap { $0.operation.words($0.outcome) },
            answers: ended.compactMap { $0.operation.answer($0.outcome) })
        row.leaked += leaked.count
        #expect(leaked.isEmpty, "\(fault.name), \(operations.map(\.name)): \(leaked)")
        // Whatever is wrong with a keyring, nobody is sent to the issuer for it; a login in a healthy one is.
        if !operations.contains(where: { $0.name == "login" && fault.manner == .inTurn }) {
            #expect(try stage.visits() == visits, "\(fault.name), \(operations.map(\.name))")
        }
        try KeyringFaultReport.shared.add(fault, ended, afterwards: Self.difference(before, after))
    }

    /// What became of each kind of item.
    private static func difference(
        _ before: [KeyringStage.Kind: [String]], _ after: [KeyringStage.Kind: [String]]
    ) -> String {
        let changes = KeyringStage.Kind.allCases.filter { before[$0] != after[$0] }.map { kind in
            "\(kind) \(after[kind]?.isEmpty ?? true ? "gone" : "changed")"
        }
        return changes.isEmpty ? "as before" : changes.joined(separator: ", ")
    }

    private func check(
        _ outcome: Outcome, _ expectation: KeyringFault.Expectation, _ operation: KeyringOperation,
        _ fault: KeyringFault
    ) {
        let row = "\(fault.name), \(operation.name): \(outcome)"
        let complaint = operation.complaint(outcome)
        let foundNobody = expectation.mayFindNobody && outcome.exitCode == 0 && complaint.isEmpty
        #expect(outcome.exitCode == expectation.exitCode || foundNobody, "\(row)")
        #expect(outcome.seconds < fault.limit && outcome.seconds >= fault.minimum, "\(row)")
        if foundNobody || expectation.words.isEmpty {
            #expect(!complaint.contains("error:"), "\(row)")
        } else {
            #expect(expectation.words.contains { complaint.contains($0) }, "\(row)")
        }
        if outcome.exitCode != 0, operation.name == "git get" { #expect(outcome.text.contains("quit=1\n"), "\(row)") }
        // What the libraries say of themselves is for nobody.
        for word in ["GLib", "CRITICAL", "X11", "org.freedesktop.DBus"] {
            #expect(!outcome.errors.contains(word), "\(row)")
        }
    }
}
