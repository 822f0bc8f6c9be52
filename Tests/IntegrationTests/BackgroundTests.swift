import Foundation
import Testing
import TestSupport

/// What the timer runs: it renews ahead, asks nobody, and tells a person who has to sign in, once.
@Suite(.serialized) struct BackgroundTests {
    private static let refresh = ["refresh", "--background"]
    /// For the sandbox: the token of the login is due at once, later ones are not.
    private static let due = ["--access-lifetime", "7200", "--fault", "expires-in-zero@1"]

    private func refresh(_ world: World) throws -> Outcome {
        try world.run("mojoauth-credential", Self.refresh)
    }

    /// - Parameter isFiltered: under the system call filter of its unit.
    @Test(arguments: [false, true]) func renewsWhatIsDueAndNothingElse(isFiltered: Bool) throws {
        let due = try SignedIn(Self.due)
        let before = try due.state()
        let outcome = try isFiltered ? refreshAsUnit(due.world) : refresh(due.world)
        #expect(outcome.exitCode == 0 && outcome.text.isEmpty && outcome.errors.isEmpty, "\(outcome)")
        #expect(try due.sandbox.refreshes() == 1)
        #expect(try due.state() != before)

        let fresh = try SignedIn(["--access-lifetime", "7200"])
        #expect(try refresh(fresh.world).exitCode == 0)
        #expect(try fresh.sandbox.refreshes() == 0)
    }

    @Test func noSessionAndNoKeyringAreNoFailure() throws {
        for desktop in [World.Desktop.noBus, .noService] {
            let world = try World(desktop)
            try world.configure(issuer: "https://issuer.example", clientID: "c")
            let outcome = try refresh(world)
            #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(desktop): \(outcome)")
        }
        let nobody = try World()
        #expect(try refresh(nobody).exitCode == 0)
    }

    @Test func lockedKeyringIsLeftLocked() throws {
        let signedIn = try SignedIn(Self.due)
        let world = signedIn.world
        let prompter = try MockPrompter(in: world, [.cancel])
        try world.startKeyring(prompter: prompter)
        try world.lockKeyring()
        // With a desktop, where every other command would open the prompt.
        world.set(["DISPLAY": ":0"])
        let outcome = try refresh(world)
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
        #expect(outcome.seconds < 20, "\(outcome)")
        #expect(try signedIn.sandbox.refreshes() == 0)
    }

    @Test func anIssuerOutOfReachIsForTheNextRun() throws {
        let signedIn = try SignedIn(Self.due)
        let before = try signedIn.state()
        signedIn.sandbox.stop()
        let outcome = try refresh(signedIn.world)
        #expect(outcome.exitCode == 75, "\(outcome)")
        #expect(outcome.errors.hasPrefix("mojoauth-credential: error: "), "\(outcome)")
        #expect(try signedIn.state() == before)
    }

    /// A login that the issuer has ended.
    private func ended() throws -> SignedIn {
        let signedIn = try SignedIn(Self.due)
        try signedIn.sandbox.startFault("invalid-grant")
        return signedIn
    }

    @Test func endedLoginIsToldOnceInTenMinutes() throws {
        let signedIn = try ended()
        let daemon = try NotificationDaemon(in: signedIn.world, .closes)
        for _ in 0..<3 {
            let outcome = try refresh(signedIn.world)
            #expect(outcome.exitCode == 77 && outcome.text.isEmpty, "\(outcome)")
        }
        let shown = try daemon.shown()
        #expect(shown.count == 1)
        #expect(shown.first?.summary == "Sign in again")
        #expect(shown.first?.body == "The login of profile \"default\" has ended.")
        #expect(shown.first?.actions == ["sign-in", "Sign in"])
    }

    /// One that was told a while ago keeps no other from being told.
    @Test func eachLoginIsToldByItself() throws {
        let world = try World()
        let names = ["aa", "bb"]
        let issuer = "https://\(UUID().uuidString.lowercased()).example"
        let text = names.map { "[profile \($0)]\nissuer=\(issuer)\nclient-id=c\n" }.joined()
        try world.writeConfiguration(text)
        let daemon = try NotificationDaemon(in: world, .closes)
        for name in names {
            for _ in 0..<2 {
                let outcome = try world.run("mojoauth-credential", ["login", "--notify", "--profile", name])
                #expect(outcome.exitCode == 77, "\(outcome)")
            }
        }
        #expect(try daemon.shown().map(\.body) == names.map { "A program needs the login of profile \"\($0)\"." })
    }

    @Test func buttonOpensTheLogin() throws {
        let signedIn = try SignedIn(Self.due)
        // The refresh is refused, the login behind it is not.
        try signedIn.sandbox.startFault("invalid-grant?at=1")
        let daemon = try NotificationDaemon(in: signedIn.world, .presses)
        let outcome = try refresh(signedIn.world)
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(try daemon.shown().count == 1)
        #expect(try signedIn.sandbox.tokenRequests("authorization_code") == 2)
        #expect(try signedIn.world.run("mojoauth-credential", ["status"]).exitCode == 0)
        // That one was answered: the next that ends is told again.
        try signedIn.sandbox.startFault("invalid-grant?at=1")
        #expect(try signedIn.world.run("mojoauth-credential", ["refresh"]).exitCode == 77)
        #expect(try refresh(signedIn.world).exitCode == 0)
        #expect(try daemon.shown().count == 2)
    }

    /// systemd's unit for the refresh allows less than a browser needs.
    @Test func inAUnitTheLoginHasOneOfItsOwn() throws {
        let signedIn = try SignedIn(Self.due)
        let world = signedIn.world
        try signedIn.sandbox.startFault("invalid-grant?at=1")
        let daemon = try NotificationDaemon(in: world, .presses)
        // A manager that does what it is told, and says what that was.
        try world.scratch.write(
            "#!/bin/sh\necho \"$*\" >>\(world.scratch.path("calls"))\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n",
            to: "bin/systemd-run", mode: 0o700)
        world.set(["INVOCATION_ID": "0123456789abcdef0123456789abcdef"])
        let outcome = try refresh(world)
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(try daemon.shown().count == 1)
        #expect(try signedIn.sandbox.tokenRequests("authorization_code") == 2)
        let call = try world.scratch.read("calls")
        #expect(call.hasPrefix("--user --quiet --collect --wait --property=KillMode=process -- /"), "\(call)")
        #expect(call.hasSuffix("/mojoauth-credential login --for-helper --profile default\n"), "\(call)")
        #expect(try world.run("mojoauth-credential", ["status"]).exitCode == 0)
    }

    @Test func aUnitThatFailsIsToldWithItsExitCode() throws {
        let signedIn = try ended()
        let daemon = try NotificationDaemon(in: signedIn.world, .presses)
        try signedIn.world.scratch.write("#!/bin/sh\nexit 75\n", to: "bin/systemd-run", mode: 0o700)
        signedIn.world.set(["INVOCATION_ID": "0123456789abcdef0123456789abcdef"])
        let outcome = try refresh(signedIn.world)
        #expect(outcome.exitCode == 75 && outcome.errors.contains("was not completed"), "\(outcome)")
        #expect(try daemon.shown().count == 1)
    }

    @Test func buttonOfAnotherProgramOpensNothing() throws {
        let signedIn = try ended()
        let daemon = try NotificationDaemon(in: signedIn.world, .pressesAnothers)
        #expect(try refresh(signedIn.world).exitCode == 77)
        #expect(try daemon.shown().count == 1)
        #expect(try signedIn.sandbox.tokenRequests("authorization_code") == 1)
    }

    @Test func desktopWithoutButtonsShowsTheWordsAlone() throws {
        let signedIn = try ended()
        let daemon = try NotificationDaemon(in: signedIn.world, .closes, hasButtons: false)
        #expect(try refresh(signedIn.world).exitCode == 77)
        #expect(try daemon.shown().map(\.actions) == [[]])
    }

    @Test func withoutANotificationDaemonTheJournalHasTheLine() throws {
        let signedIn = try ended()
        let outcome = try refresh(signedIn.world)
        #expect(outcome.exitCode == 77, "\(outcome)")
        #expect(outcome.errors.contains("no notification could be shown"), "\(outcome)")
        #expect(outcome.errors.contains("hint: run 'mojoauth-credential login'"), "\(outcome)")
    }

    @Test(arguments: [
        ["--profile", "default"], ["--json"], ["--if-stale", "5"], ["--if-ageing"], ["--audience", "a"],
        ["--resource", "https://r.example"], ["--handover", "3"], ["word"],
    ])
    func goesWithNoOtherOption(_ more: [String]) throws {
        let world = try World(.noBus)
        #expect(try world.run("mojoauth-credential", Self.refresh + more).exitCode == 64)
    }

    // MARK: A helper whose lines nobody reads

    /// docker behind a graphical program: it may open no login, and the desktop is told, once.
    @Test func dockerWithoutALoginIsToldOnTheDesktop() throws {
        let world = try World()
        // One that no other run has: what was told is noted down for ten minutes in the person's real home.
        try world.configure(
            issuer: "https://\(UUID().uuidString.lowercased()).example", clientID: "c",
            hosts: ["https://registry.example.com": [:]])
        let daemon = try NotificationDaemon(in: world, .closes)
        world.set(["DISPLAY": ":0"])
        for _ in 0..<2 {
            let outcome = try world.run(
                "docker-credential-mojoauth", ["get"], input: "registry.example.com")
            #expect(outcome.exitCode == 1, "\(outcome)")
        }
        let shown = try daemon.waitForOne()
        #expect(shown.summary == "Sign in")
        #expect(shown.body == "A program needs the login of profile \"default\".")
        #expect(shown.actions == ["sign-in", "Sign in"])
        // What was told once is not told again: this one ends without a word.
        let again = try world.run("mojoauth-credential", ["login", "--notify"])
        #expect(again.exitCode == 77 && again.errors.isEmpty, "\(again)")
        #expect(try daemon.shown().count == 1)
    }

    @Test func timerRenewsTheTokensOfOtherAudiences() throws {
        let signedIn = try SignedIn(Self.due)
        let world = signedIn.world
        try world.writeConfiguration(
            String(contentsOfFile: world.configurationFile, encoding: .utf8)
                + "\n[host other]\nurl=https://other.example.com\naudience=other-api\n")
        #expect(try refresh(world).exitCode == 0)
        // Nothing has asked for that audience's token yet: the login's own alone is renewed.
        #expect(try signedIn.sandbox.refreshes() == 1)
        // It has one now, which is due at once.
        try signedIn.sandbox.startFault("expires-in-zero?at=1")
        _ = try world.run("mojoauth-credential", ["get", "https://other.example.com"])
        let before = try signedIn.sandbox.refreshes()
        #expect(try refresh(world).exitCode == 0)
        #expect(try signedIn.sandbox.refreshes() == before + 1)
        #expect(try refresh(world).exitCode == 0)
        #expect(try signedIn.sandbox.refreshes() == before + 1)
    }

    // MARK: The timer

    @Test func configureTurnsTheTimerOnAndOff() throws {
        let world = try World(.noBus)
        try world.scratch.write(
            "#!/bin/sh\necho \"$*\" >>\(world.scratch.path("calls"))\n", to: "bin/systemctl", mode: 0o700)
        let on = try world.run("mojoauth-credential", ["configure", "background", "on"])
        #expect(on.exitCode == 0 && on.errors.hasPrefix("Enabled and started "), "\(on)")
        let off = try world.run("mojoauth-credential", ["configure", "background", "off"])
        #expect(off.exitCode == 0 && off.errors.hasPrefix("Stopped and disabled "), "\(off)")
        let calls = try String(contentsOfFile: world.scratch.path("calls"), encoding: .utf8)
        #expect(
            calls == """
                --user --quiet enable --now mojoauth-credential-refresh.timer
                --user --quiet disable --now mojoauth-credential-refresh.timer

                """)
    }

    @Test func withoutSystemdItSaysWhatToDo() throws {
        let world = try World(.noBus)
        for (path, words) in [
            (world.scratch.path("bin"), "there is no systemctl here"), (nil, "ended with 1"),
        ] {
            try world.scratch.write("#!/bin/sh\nexit 1\n", to: "bin/systemctl", mode: 0o700)
            if let path { try FileManager.default.removeItem(atPath: "\(path)/systemctl") }
            let outcome = try world.run(
                "mojoauth-credential", ["configure", "background", "on"], environment: path.map { ["PATH": $0] } ?? [:])
            #expect(outcome.exitCode == 78, "\(outcome)")
            #expect(outcome.errors.contains(words), "\(outcome)")
            #expect(outcome.errors.contains("without systemd let the session run"), "\(outcome)")
        }
        for words in [[], ["maybe"], ["on", "off"]] {
            #expect(try world.run("mojoauth-credential", ["configure", "background"] + words).exitCode == 64)
        }
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// A command line under the system call filter of the unit.
    private func filtered(_ words: [String], in world: World) throws -> Outcome {
        let unit = Self.root + "/packaging/systemd/mojoauth-credential-refresh.service"
        let command = try UnitFilter(in: world, unit: unit).command(words)
        return try world.run(command.program, command.arguments)
    }

    private func refreshAsUnit(_ world: World) throws -> Outcome {
        try filtered(["mojoauth-credential"] + Self.refresh, in: world)
    }

    /// A person is told under the filter, too, and what they press is started.
    @Test func askingWorksUnderTheFilterOfItsUnit() throws {
        let world = try ended().world
        let daemon = try NotificationDaemon(in: world, .presses)
        try world.scratch.write(
            "#!/bin/sh\necho \"$*\" >'\(world.scratch.path("calls"))'\nexit 75\n", to: "bin/systemd-run", mode: 0o700)
        world.set(["INVOCATION_ID": "0123456789abcdef0123456789abcdef"])
        #expect(try refreshAsUnit(world).exitCode == 75)
        #expect(try daemon.shown().count == 1)
        #expect(try world.scratch.read("calls").contains("/mojoauth-credential login "))
    }

    /// The filter is in force: what it does not allow fails, and without it does not.
    @Test func theFilterOfTheUnitHolds() throws {
        let world = try World(.noBus)
        let traced = ["python3", "-c", "import ctypes; raise SystemExit(ctypes.CDLL(None).ptrace(0, 0, 0, 0) != 0)"]
        #expect(try world.run(traced[0], Array(traced.dropFirst())).exitCode == 0)
        #expect(try filtered(traced, in: world).exitCode == 1)
    }

    @Test func systemdAcceptsTheUnits() throws {
        let world = try World(.noBus)
        let root = Self.root
        let prefix = world.scratch.path("prefix")
        let installed = try world.run(
            "make", ["-C", root, "install", "BUILD=\(try InstalledPrograms.builtFolder())", "PREFIX=\(prefix)"])
        #expect(installed.exitCode == 0, "\(installed)")
        let units = "\(prefix)/lib/systemd/user/mojoauth-credential-refresh"
        let outcome = try world.run(
            .systemdAnalyze, ["verify", "--user", "--man=no", "\(units).service", "\(units).timer"])
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
        let service = try String(contentsOfFile: "\(units).service", encoding: .utf8)
        #expect(service.contains("ExecStart=\(prefix)/bin/mojoauth-credential refresh --background\n"))
        #expect(service.contains("ConditionPathExists=%t/bus\n"))
        // systemd's own figure, 98 without any of it, and not to grow; and what must stay reachable.
        let security = try world.run(
            .systemdAnalyze, ["--user", "security", "--offline=true", "--threshold=67", "\(units).service"])
        #expect(security.exitCode == 0, "\(security)")
        #expect(service.contains("RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK\n"))
    }
}
