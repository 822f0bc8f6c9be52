import Foundation
import Testing
import TestSupport

/// `doctor` on machines that are well and on broken ones. What it printed lies in `Golden`, with what differs from
/// machine to machine replaced.
@Suite(.serialized) struct DoctorTests {
    /// A machine on which all is well: an issuer, a git host, a registry.
    private func machine(_ desktop: World.Desktop = .unlockedKeyring, _ options: [String] = []) throws -> (
        world: World, sandbox: Sandbox
    ) {
        let world = try World(desktop)
        let sandbox = try Sandbox(in: world, options)
        try world.configure(sandbox, browser: try world.keep(BrowserStub(in: world)))
        for words in [["git", SignedIn.host], ["docker", "registry.example.com"]] {
            let outcome = try world.run("mojoauth-credential", ["configure"] + words)
            #expect(outcome.exitCode == 0, "\(outcome)")
        }
        return (world, sandbox)
    }

    private func expect(
        _ name: String, _ world: World, exitCode: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try world.run("mojoauth-credential", ["doctor"])
        #expect(outcome.exitCode == exitCode, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errors.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
        try Golden.expect(
            "doctor-\(name)", Golden.settled(outcome.text, in: world), sourceLocation: sourceLocation)
    }

    @Test func healthy() throws {
        try expect("healthy", machine().world, exitCode: 0)
    }

    @Test func noBus() throws {
        try expect("no-bus", machine(.noBus).world, exitCode: 69)
    }

    @Test func noService() throws {
        try expect("no-service", machine(.noService).world, exitCode: 69)
    }

    @Test func locked() throws {
        let world = try machine().world
        try world.lockKeyring()
        try expect("locked", world, exitCode: 69)
    }

    @Test func clockOffByAnHour() throws {
        try expect("clock", machine(.unlockedKeyring, ["--fault", "metadata-date"]).world, exitCode: 76)
    }

    @Test func wrongIssuer() throws {
        let (world, sandbox) = try machine()
        let outcome = try world.run(
            "mojoauth-credential", ["configure", "profile", "--offline", "--issuer", sandbox.issuer + "/"])
        #expect(outcome.exitCode == 0, "\(outcome)")
        try expect("wrong-issuer", world, exitCode: 76)
    }

    // MARK: Single lines

    /// Runs the doctor and looks for one line and, below it, its hint.
    private func expectLine(
        _ world: World, _ verdict: String, _ line: String, hint: String? = nil, exitCode: Int32,
        environment: [String: String?] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try world.run("mojoauth-credential", ["doctor"], environment: environment)
        #expect(outcome.exitCode == exitCode, "\(outcome)", sourceLocation: sourceLocation)
        let lines = outcome.text.split(separator: "\n").map(String.init)
        let start = "  " + verdict.padding(toLength: 9, withPad: " ", startingAt: 0)
        let index = lines.firstIndex { $0.hasPrefix(start) && $0.contains(line) }
        #expect(index != nil, "\(line) is not in: \(outcome)", sourceLocation: sourceLocation)
        guard let index, let hint else { return }
        #expect(
            index + 1 < lines.count && lines[index + 1].contains("-> ") && lines[index + 1].contains(hint),
            "\(outcome)",
            sourceLocation: sourceLocation)
    }

    @Test func clockThatIsLittleOff() throws {
        let world = try machine(.unlockedKeyring, ["--fault", "metadata-date=-300"]).world
        try expectLine(world, "warning", "ahead of the issuer's", hint: "set the clock", exitCode: 0)
    }

    @Test func noConfiguration() throws {
        let world = try World()
        try expectLine(world, "bad", "profile: no configuration", hint: "configure profile", exitCode: 78)
    }

    @Test func faultyConfiguration() throws {
        let (world, sandbox) = try machine()
        try world.writeConfiguration(
            "[profile default]\nissuer=\(sandbox.issuer)\nclient-id=\(sandbox.clientID)\nmin-lifetime=soon\ncolor=red\n"
        )
        let file = world.configurationFile
        try expectLine(world, "bad", "\(file):4: ", hint: "mend the file", exitCode: 78)
        try expectLine(world, "warning", "\(file):5: ", exitCode: 78)
    }

    @Test func otherHelperThatWouldStoreTheToken() throws {
        let world = try machine().world
        let before = try world.run("git", ["config", "--global", "credential.helper", "cache"])
        let after = try world.run(
            "git", ["config", "--global", "--add", "credential.\(SignedIn.host).helper", "store --file kept"])
        #expect(before.exitCode == 0 && after.exitCode == 0)
        // "cache" stands behind the lines of the host in the file, and is asked for it as well.
        try expectLine(
            world, "bad", "\(SignedIn.host): other helpers would store its token: ", hint: "configure git",
            exitCode: 78)
        try expectLine(world, "bad", "\"store\" (file:", exitCode: 78)
    }

    @Test func helperBeforeTheResetIsNotAsked() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world)
        try world.configure(sandbox)
        let other = try world.run("git", ["config", "--global", "credential.helper", "cache"])
        let ours = try world.run("mojoauth-credential", ["configure", "git", SignedIn.host])
        #expect(other.exitCode == 0 && ours.exitCode == 0, "\(ours)")
        try expectLine(world, "ok", "\(SignedIn.host): asks our helper alone", exitCode: 0)
    }

    @Test func programsThatGitAndDockerCannotFind() throws {
        let world = try machine().world
        let program = "\(world.environment["PATH"]?.split(separator: ":").first ?? "")/mojoauth-credential"
        let path = Tool.folders.joined(separator: ":")
        let outcome = try world.run(program, ["doctor"], environment: ["PATH": path])
        #expect(outcome.exitCode == 78, "\(outcome)")
        #expect(outcome.text.contains("bad      git-credential-mojoauth: is not in PATH"), "\(outcome)")
        #expect(outcome.text.contains("bad      docker-credential-mojoauth: is not in PATH"), "\(outcome)")
    }

    @Test func takenPorts() throws {
        let (world, sandbox) = try machine()
        try FreePort.withListener { port in
            let uri = "http://127.0.0.1:\(port)/callback"
            try world.configure(sandbox, profile: ["redirect-uri": uri])
            try expectLine(world, "bad", "127.0.0.1:\(port) is in use", hint: "redirect-uri", exitCode: 75)
            try world.configure(sandbox, profile: ["redirect-uri": "\(uri);http://127.0.0.1/callback"])
            try expectLine(world, "warning", "\(uri): its port is taken", hint: "the next one", exitCode: 0)
        }
    }

    @Test func browserThatIsNotThere() throws {
        let world = try machine().world
        try expectLine(
            world, "warning", "$BROWSER names nowhere-browser, which is not there", exitCode: 0,
            environment: ["BROWSER": "nowhere-browser"])
    }

    @Test(arguments: [
        "SECRET_BACKEND", "SECRET_FILE_TEST_PATH", "SECRET_FILE_TEST_PASSWORD", "SECMEM_FORCE_FALLBACK",
        "G_MESSAGES_DEBUG",
    ])
    func variablesThatWeaken(_ name: String) throws {
        try expectLine(
            machine().world, "warning", "\(name): is set", hint: "unset \(name)", exitCode: 0,
            environment: [name: "file"])
    }

    /// One is a letter that joins the sign in front of it.
    @Test(arguments: ["127.0.0.1:9", "\u{301}127.0.0.1:9", ""]) func proxyIsToldWithoutItsPassword(host: String) throws
    {
        let world = try World()
        try world.configure(issuer: "https://issuer.invalid", clientID: "mojoauth-cli")
        let proxy = "http://user:hush-hush@\(host)"
        let outcome = try world.run(
            "mojoauth-credential", ["doctor"], environment: ["https_proxy": proxy, "no_proxy": "intern.example"])
        // An address without a host is no proxy.
        #expect(outcome.exitCode == (host.isEmpty ? 78 : 75), "\(outcome)")
        #expect(host.isEmpty || outcome.text.contains("proxy: \(host), but not for intern.example"), "\(outcome)")
        #expect(!outcome.text.contains("hush-hush") && !outcome.errors.contains("hush-hush"))
    }

    @Test func certificatesThatCannotBeRead() throws {
        let (world, sandbox) = try machine()
        try world.configure(sandbox, profile: ["ca-file": "/nowhere/ca.pem"])
        try expectLine(world, "bad", "/nowhere/ca.pem", exitCode: 78)
    }

    /// Neither a keyring nor an issuer that accepts and says nothing keeps it.
    @Test func endsWhenOthersHang() throws {
        let (world, sandbox) = try machine()
        let keyring = try #require(world.keyring)
        try FreePort.withListener { port in
            try world.configure(issuer: "http://127.0.0.1:\(port)", clientID: sandbox.clientID)
            keyring.freeze()
            defer { keyring.thaw() }
            let outcome = try world.run("mojoauth-credential", ["doctor"])
            #expect(outcome.exitCode == 69 && outcome.seconds < 30, "\(outcome)")
            #expect(outcome.text.contains("did not answer within 5 seconds"), "\(outcome)")
        }
    }

    @Test func tellsTheSameAsJSON() throws {
        let world = try machine().world
        try world.lockKeyring()
        let outcome = try world.run("mojoauth-credential", ["doctor", "--json"])
        let told = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
        #expect(outcome.exitCode == 69 && told["ok"] as? Bool == false, "\(outcome)")
        let bad = try #require(told["findings"] as? [[String: String]]).filter { $0["verdict"] == "bad" }
        #expect(bad.map { $0["subject"] } == ["default collection"] && bad.first?["hint"] != nil)
    }
}
