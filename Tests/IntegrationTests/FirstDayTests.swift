import Testing
import TestSupport

/// What goes wrong on a first day: each a sentence, a hint and an exit code.
@Suite(.serialized) struct FirstDayTests {
    /// Runs a command and looks at the form of its complaint: one error, one hint, nothing on stdout.
    ///
    /// - Parameter words: what the two lines must name, in any order.
    private func expectComplaint(
        _ world: World, _ arguments: [String], exitCode: Int32, naming words: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try world.run("mojoauth-credential", arguments)
        #expect(outcome.exitCode == exitCode, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
        expectForm(of: outcome.errors, program: "mojoauth-credential", sourceLocation: sourceLocation)
        for word in words {
            #expect(outcome.errors.contains(word), "\(word) is not in: \(outcome)", sourceLocation: sourceLocation)
        }
    }

    private func expectForm(
        of errors: String, program: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let lines = errors.split(separator: "\n").filter { $0.hasPrefix("\(program): ") }
        let complaints = lines.filter { $0.hasPrefix("\(program): error: ") }
        let hints = lines.filter { $0.hasPrefix("\(program): hint: ") }
        #expect(complaints.count == 1 && hints.count == 1, "\(errors)", sourceLocation: sourceLocation)
        for line in complaints + hints {
            #expect(!line.hasSuffix("."), "\(line)", sourceLocation: sourceLocation)
        }
    }

    /// An issuer that nobody needs to reach.
    private static let nowhere = "http://127.0.0.1:9"

    @Test(arguments: ["login", "status", "refresh", "get", "logout"])
    func noConfiguration(_ command: String) throws {
        let world = try World(.noBus)
        try expectComplaint(
            world, [command], exitCode: 78, naming: ["profile", "mojoauth-credential configure profile"])
    }

    @Test(arguments: ["login", "status", "refresh", "get"]) func noSessionBus(_ command: String) throws {
        let world = try World(.noBus)
        try world.configure(issuer: Self.nowhere, clientID: "mojoauth-cli")
        try expectComplaint(world, [command], exitCode: 69, naming: ["session bus"])
    }

    @Test func busThatIsGone() throws {
        let world = try World(.noBus)
        try world.configure(issuer: Self.nowhere, clientID: "mojoauth-cli")
        let address = "unix:path=\(world.scratch.path("gone"))"
        world.set(["DBUS_SESSION_BUS_ADDRESS": address])
        try expectComplaint(world, ["status"], exitCode: 69, naming: ["session bus", world.scratch.path("gone")])
    }

    @Test(arguments: ["login", "status", "refresh", "get"]) func noSecretService(_ command: String) throws {
        let world = try World(.noService)
        try world.configure(issuer: Self.nowhere, clientID: "mojoauth-cli")
        try expectComplaint(world, [command], exitCode: 69, naming: ["Secret Service"])
    }

    @Test(arguments: ["refresh", "get", "login"]) func lockedKeyring(_ command: String) throws {
        let signedIn = try SignedIn()
        try signedIn.world.lockKeyring()
        try expectComplaint(signedIn.world, [command], exitCode: 69, naming: ["locked"])
        // Nothing was asked of the issuer with a keyring that could not keep the answer.
        #expect(try signedIn.sandbox.refreshes() == 0)
        #expect(try signedIn.sandbox.tokenRequests("authorization_code") == 1)
    }

    @Test func lockedKeyringIsToldToGitAndStopsItsQuestions() throws {
        let signedIn = try SignedIn()
        try signedIn.world.lockKeyring()
        let outcome = try signedIn.world.gitCredential("get", SignedIn.host)
        #expect(outcome.text.contains("quit=1\n"), "\(outcome)")
        #expect(outcome.attributes["password"] == nil)
        expectForm(of: outcome.errors, program: "git-credential-mojoauth")
        #expect(outcome.errors.contains("locked"))
    }

    @Test func issuerUnreachable() throws {
        let world = try World()
        let issuer = "http://127.0.0.1:\(try FreePort.find())"
        try world.configure(issuer: issuer, clientID: "mojoauth-cli")
        try expectComplaint(world, ["login"], exitCode: 75, naming: [issuer])
    }

    @Test func discoveryNotFound() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world)
        try world.configure(issuer: "\(sandbox.issuer)/nobody", clientID: sandbox.clientID)
        try expectComplaint(
            world, ["login"], exitCode: 78,
            naming: ["\(sandbox.issuer)/nobody/.well-known/openid-configuration"])
    }

    @Test func issuerMismatch() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world)
        try world.configure(issuer: "\(sandbox.issuer)/", clientID: sandbox.clientID)
        try expectComplaint(
            world, ["login"], exitCode: 76, naming: ["\"\(sandbox.issuer)/\"", "\"\(sandbox.issuer)\""])
    }

    @Test func portTaken() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        try FreePort.withListener { port in
            try world.configure(sandbox, profile: ["redirect-uri": "http://127.0.0.1:\(port)/callback"])
            try expectComplaint(world, ["login"], exitCode: 75, naming: ["\(port)"])
        }
        #expect(try world.items([:]).isEmpty)
    }

    @Test func takenPortIsPassedOverForTheNextInTheList() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        let free = try FreePort.find()
        try FreePort.withListener { taken in
            let uris = [taken, free].map { "http://127.0.0.1:\($0)/callback" }.joined(separator: ";")
            try world.configure(sandbox, profile: ["redirect-uri": uris])
            let outcome = try world.run("mojoauth-credential", ["login"])
            #expect(outcome.exitCode == 0, "\(outcome)")
        }
    }

    @Test func deniedLoginLeavesTheStoredOneByteForByte() throws {
        let signedIn = try SignedIn()
        let before = try signedIn.state()
        try signedIn.sandbox.startFault("deny")
        try expectComplaint(signedIn.world, ["login"], exitCode: 130, naming: ["denied"])
        #expect(try signedIn.state() == before)
        #expect(try signedIn.world.items([:]).count == 1)
        #expect(try signedIn.token().isEmpty == false)
    }

    @Test(arguments: [
        ("another nonce", "wrong-nonce", "nonce"),
        ("another issuer", "wrong-issuer", "issuer"),
        ("a signature that does not verify", "bad-signature", "signature"),
        ("an ID token of the past", "expired-id-token", "expired"),
    ]) func answerThatIsNotAcceptableIsNotStored(_ name: String, _ fault: String, _ word: String) throws {
        let signedIn = try SignedIn()
        let before = try signedIn.state()
        try signedIn.sandbox.startFault(fault)
        try expectComplaint(signedIn.world, ["login"], exitCode: 76, naming: [word])
        #expect(try signedIn.state() == before)
    }

    @Test(arguments: [("server error", "token-500", "500"), ("a proxy's page", "token-html-502", "502")])
    func issuerThatFailsInTheExchangeIsTemporary(_ name: String, _ fault: String, _ status: String) throws {
        let signedIn = try SignedIn()
        let before = try signedIn.state()
        try signedIn.sandbox.startFault(fault)
        try expectComplaint(signedIn.world, ["login"], exitCode: 75, naming: ["status \(status)"])
        #expect(try signedIn.state() == before)
    }

    @Test func notLoggedIn() throws {
        let world = try World()
        try world.configure(issuer: Self.nowhere, clientID: "mojoauth-cli", hosts: [SignedIn.host: [:]])
        for command in ["get", "refresh"] {
            try expectComplaint(world, [command], exitCode: 77, naming: ["mojoauth-credential login"])
        }
        let docker = try world.dockerCredential("get", "git.example.com")
        #expect(docker.exitCode == 1)
        #expect(docker.text.contains("mojoauth-credential login"), "\(docker)")
        #expect(!docker.text.contains("credentials not found in native keychain"))
    }
}
