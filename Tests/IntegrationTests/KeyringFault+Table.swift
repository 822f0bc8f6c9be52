import Foundation
import TestSupport

extension KeyringFault {
    static let table = unreachable + closed + dying + working + withLockedDatabase

    private static let right = MockPrompter.Action.password(KeyringDaemon.password)
    /// One that reads, one that writes, one that renews, one that removes.
    private static let few: Set<String> = ["status", "git get", "git store", "refresh", "logout"]

    /// With it a helper may open a login: `interactive=auto` is what an entry has unless it says otherwise.
    private static let desktop: @Sendable (World) -> [String: String?] = { _ in ["DISPLAY": ":9"] }

    // MARK: There is no keyring to reach

    private static let unreachable = [
        KeyringFault(
            name: "no bus",
            environment: { ["DBUS_SESSION_BUS_ADDRESS": nil, "XDG_RUNTIME_DIR": $0.scratch.path("home")] }, limit: 3,
            expectation: { $0.isForeignGet ? Expectation(exitCode: 0) : fails("no session bus")($0) }),
        KeyringFault(
            name: "stale bus", environment: { _ in ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"] }, limit: 3,
            expectation: { $0.isForeignGet ? Expectation(exitCode: 0) : fails("session bus unreachable")($0) }),
        KeyringFault(
            name: "bus stopped", strike: { $0.world.bus?.freeze() }, goesOn: true,
            expectation: fails(silent)),
        KeyringFault(
            name: "no service", strike: { $0.world.keyring?.kill() }, limit: 3,
            expectation: { $0.isForeignGet ? Expectation(exitCode: 0) : fails(absent)($0) }),
        KeyringFault(
            name: "service that fails to start",
            strike: { stage in
                stage.world.keyring?.kill()
                try stage.world.startKeyringByName(["/bin/false"])
            }, limit: 3,
            expectation: { $0.isForeignGet ? Expectation(exitCode: 0) : fails("it failed to start")($0) }),
        KeyringFault(
            name: "service that does not come up",
            strike: { stage in
                stage.world.keyring?.kill()
                try stage.world.startKeyringByName([
                    // The bus has a process of its own for what it starts, until that has come up.
                    Tool.setpriv.path(), "--pdeathsig", "KILL", "--", "/bin/sleep", "60",
                ])
            }, expectation: fails(silent)),
        KeyringFault(
            name: "no default collection",
            strike: { stage in
                try stage.takeAway()
                try stage.world.startEmptyKeyring()
            },
            expectation: withoutCollection),
    ]

    /// There is nothing to read and nowhere to write.
    @Sendable private static func withoutCollection(_ operation: KeyringOperation) -> Expectation {
        switch operation.name {
        case "status": Expectation(exitCode: 77)
        case "git get", "docker get": Expectation(exitCode: 1, words: ["not logged in"])
        case "refresh": Expectation(exitCode: 77, words: ["not logged in"])
        case "logout", "git erase", "docker erase", "git get, foreign host": Expectation(exitCode: 0)
        default: Expectation(exitCode: operation.failure, words: ["the keyring has no default collection"])
        }
    }

    // MARK: It is locked

    private static let closed = [
        KeyringFault(
            name: "locked while running, no prompter", strike: { try $0.lock() }, limit: 3,
            expectation: fails(locked)),
        KeyringFault(
            name: "locked on disk, no prompter", strike: { try $0.restartLocked() }, limit: 3,
            expectation: fails(locked)),
        KeyringFault(
            name: "prompt dismissed", strike: { try $0.lock(answers: [.cancel]) }, limit: 5, expectation: fails(locked)),
        KeyringFault(
            name: "wrong password, then dismissed",
            strike: { try $0.lock(answers: [.password("wrong"), .cancel]) }, limit: 5, expectation: fails(locked)),
        KeyringFault(
            name: "over SSH without a display",
            environment: { _ in ["SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"] },
            // The person at that machine would even answer: had they been asked, all would succeed.
            strike: { try $0.lock(answers: [right]) }, limit: 3, expectation: fails(locked)),
        KeyringFault(
            name: "told never to ask", environment: { _ in ["GCM_INTERACTIVE": "never", "DISPLAY": ":9"] },
            strike: { try $0.lock(answers: [right]) }, limit: 3, expectation: fails(locked)),
        KeyringFault(
            name: "told never to ask, another's prompt open", environment: { _ in ["GCM_INTERACTIVE": "never"] },
            strike: { stage in
                try stage.lock(answers: [right], delay: 600_000)
                stage.world.keep(try stage.world.start("secret-tool", ["lookup", "docker_cli", "1"]))
                try stage.prompter?.waitUntilAsked()
            }, limit: 3, expectation: fails(locked)),
        // Somebody is at a desktop, and a helper could send them to the issuer: none does, since the login may be there.
        KeyringFault(
            name: "locked, a desktop there, no prompter", environment: desktop, strike: { try $0.lock() }, limit: 5,
            expectation: fails(locked)),
        KeyringFault(
            name: "prompt open for two minutes", strike: { try $0.lock(answers: [right], delay: 600_000) },
            operations: prompting, limit: 123, minimum: 120, isForTortureAlone: true,
            expectation: fails("the keyring's prompt was not answered within 120 seconds")),
    ]

    // MARK: It dies

    private static let dying = [
        KeyringFault(
            name: "daemon stopped", strike: { $0.world.keyring?.freeze() }, goesOn: true,
            expectation: fails(silent)),
        KeyringFault(
            name: "daemon stopped, a desktop there", environment: desktop,
            strike: { $0.world.keyring?.freeze() }, goesOn: true, expectation: fails(silent)),
        KeyringFault(
            name: "daemon killed, a desktop there", environment: desktop,
            strike: { $0.world.keyring?.kill() }, limit: 3,
            expectation: { $0.isForeignGet ? Expectation(exitCode: 0) : fails(absent)($0) }),
        KeyringFault(
            name: "daemon killed during the call", strike: { $0.world.keyring?.freeze() },
            meanwhile: { stage in
                // All have asked by now; one that is late finds nobody, which is as good.
                usleep(800_000)
                stage.world.keyring?.kill()
            }, expectation: losesTheService),
        KeyringFault(
            name: "daemon killed, started by name, locked",
            strike: { stage in
                stage.world.keyring?.kill()
                try stage.world.startKeyringByName([
                    Tool.keyringDaemon.path(), "--foreground", "--components=secrets",
                    "--control-directory=\(stage.world.scratch.path("run/keyring"))",
                ])
            }, expectation: fails(locked)),
        KeyringFault(
            name: "daemon killed while its prompt is open", strike: { try $0.lock(answers: [right], delay: 600_000) },
            meanwhile: { stage in
                try stage.prompter?.waitUntilAsked()
                stage.world.keyring?.kill()
            }, operations: prompting, expectation: losesTheService),
        KeyringFault(
            name: "daemon stopped while its prompt is open",
            strike: { try $0.lock(answers: [right], delay: 600_000) },
            meanwhile: { stage in
                try stage.prompter?.waitUntilAsked()
                stage.world.keyring?.freeze()
            }, goesOn: true, operations: prompting, limit: 7.5, expectation: fails(silent)),
        KeyringFault(
            name: "bus ends while the prompt is open",
            strike: { try $0.lock(answers: [right], delay: 600_000) },
            meanwhile: { stage in
                try stage.prompter?.waitUntilAsked()
                stage.world.bus?.kill()
            }, operations: prompting, expectation: fails(vanished, "session bus unreachable")),
        KeyringFault(
            name: "daemon killed between the calls", manner: .inTurn, strike: { try $0.readyToRenew() },
            meanwhile: { try $0.betweenCalls { $0.world.keyring?.kill() } }, cutsRenewal: true,
            operations: KeyringOperation.all.filter(\.asksTheIssuer),
            expectation: { unsaved($0, absent) }),
        KeyringFault(
            name: "daemon killed between the calls, back locked", manner: .inTurn, strike: { try $0.readyToRenew() },
            meanwhile: { try $0.betweenCalls { try $0.restartLocked() } }, cutsRenewal: true,
            operations: KeyringOperation.all.filter(\.asksTheIssuer), sample: ["refresh"],
            expectation: { unsaved($0, locked) }),
        KeyringFault(
            name: "daemon killed between the calls, back unlocked", manner: .inTurn,
            strike: { try $0.readyToRenew() },
            meanwhile: { stage in
                try stage.betweenCalls { stage in
                    stage.world.keyring?.kill()
                    try stage.world.startKeyring()
                }
            }, operations: KeyringOperation.all.filter(\.asksTheIssuer), renews: true, expectation: works),
        KeyringFault(
            name: "locked between the calls", manner: .inTurn, strike: { try $0.readyToRenew() },
            meanwhile: { try $0.betweenCalls { try $0.lock() } }, cutsRenewal: true,
            operations: KeyringOperation.all.filter(\.asksTheIssuer),
            expectation: { unsaved($0, locked) }),
        KeyringFault(
            name: "daemon stopped between the calls", manner: .inTurn, strike: { try $0.readyToRenew() },
            meanwhile: { try $0.betweenCalls { $0.world.keyring?.freeze() } }, goesOn: true, cutsRenewal: true,
            operations: KeyringOperation.all.filter(\.asksTheIssuer), limit: 7.5,
            expectation: { operation in
                var expectation = unsaved(operation, silent)
                // Their one call was under way. A login and a logout look first, and get no answer to that.
                expectation.comesLate = ["git get", "refresh"].contains(operation.name)
                return expectation
            }),
    ]

    /// A token that was renewed and cannot be kept is good for this one use.
    @Sendable private static func unsaved(_ operation: KeyringOperation, _ words: String) -> Expectation {
        switch operation.name {
        case "git get": Expectation(exitCode: 0, words: ["the renewed login could not be stored: \(words)"])
        case "refresh": Expectation(exitCode: 69, words: ["the renewed login could not be stored: \(words)"])
        default: Expectation(exitCode: 69, words: [words])
        }
    }

    // MARK: All is well in the end

    private static let working = [
        KeyringFault(
            name: "locked, right password", manner: .inTurn, strike: { try $0.lock(answers: [right]) },
            recovers: false, expectation: worksOnceUnlocked),
        KeyringFault(
            name: "locked, right password after a wrong one", manner: .inTurn,
            strike: { try $0.lock(answers: [.password("wrong"), right]) }, recovers: false, sample: few,
            expectation: worksOnceUnlocked),
        KeyringFault(
            // Longer than a call may take.
            name: "slow prompt", manner: .inTurn, strike: { try $0.lock(answers: [right], delay: 7000) },
            recovers: false, operations: prompting, sample: ["git get", "refresh", "logout"], limit: 15, minimum: 7,
            expectation: works),
        KeyringFault(
            name: "no bus variable but $XDG_RUNTIME_DIR/bus", manner: .inTurn,
            environment: { _ in ["DBUS_SESSION_BUS_ADDRESS": nil] }, recovers: false, sample: few, expectation: works),
        KeyringFault(
            name: "KeePassXC", manner: .inTurn, service: { try $0.keep(KeePassXC(in: $0)) }, recovers: false,
            expectation: works),
    ]

    // MARK: KeePassXC, locked

    private static let withLockedDatabase = [
        KeyringFault(
            name: "KeePassXC locked, answers nobody",
            service: { try $0.keep(KeePassXC(in: $0, unlocksBeforeSearch: true)) },
            strike: { try $0.lockKeePassXC() }, operations: KeyringOperation.all.filter { $0.name != "login" },
            expectation: fails(silent)),
        // It asks for the password before it says anything, and a person may take their time.
        KeyringFault(
            name: "KeePassXC locked, nobody at it for two minutes",
            service: { try $0.keep(KeePassXC(in: $0, unlocksBeforeSearch: true)) },
            strike: { try $0.lockKeePassXC() }, operations: KeyringOperation.all.filter { $0.name == "login" },
            limit: 123, minimum: 120, isForTortureAlone: true,
            expectation: fails("the keyring's prompt was not answered within 120 seconds")),
        KeyringFault(
            name: "KeePassXC locked, shows no items",
            environment: { _ in ["GCM_INTERACTIVE": "never", "DISPLAY": ":9"] },
            service: { try $0.keep(KeePassXC(in: $0)) }, strike: { try $0.lockKeePassXC() }, limit: 3,
            expectation: { operation in
                switch operation.name {
                // Of another's there may be none.
                case "git get, foreign host", "git erase", "docker erase": Expectation(exitCode: 0)
                default: fails(locked)(operation)
                }
            }),
    ]
}

extension KeyringOperation {
    /// A host of somebody else's: where there is no keyring nothing was ever kept, and another helper may have it.
    var isForeignGet: Bool { name == "git get, foreign host" }
}

extension KeyringStage {
    /// A login whose token is refused, and an issuer that takes its time.
    fileprivate func readyToRenew() throws {
        try recover()
        try logIn()
        try refuseToken()
        try remember()
        sandbox.server.child.signal(SIGSTOP)
    }

    /// Lets something happen while a process has read the keyring, waits for the issuer, and will write the keyring.
    fileprivate func betweenCalls(_ happen: (KeyringStage) throws -> Void) throws {
        defer { sandbox.server.child.signal(SIGCONT) }
        try waitForRequest()
        try happen(self)
    }
}
