import CGLib
import Glibc
import JSON
import Program

/// The whole story on one screen: sign in once, clone without a browser, renew in silence, sign out.
package struct Demo {
    /// Long enough for two clones, short enough to wait for.
    private static let accessLifetime = 6

    private let world: DemoWorld
    /// A person's own browser; nil: the scripted one goes through the login page.
    private let browser: String?
    private var steps = 0

    private init(world: DemoWorld, browser: String?) {
        self.world = world
        self.browser = browser
    }

    /// Runs all steps, a line each.
    ///
    /// - Parameter browser: the browser's command, from `DEMO_BROWSER`.
    package static func run(browser: String?) throws(Complaint) {
        // Ctrl-C ends the step's child; the demo itself stays to clean up behind it.
        signal(SIGINT) { _ in }
        let world = try DemoWorld()
        defer { world.tearDown() }
        var demo = Demo(world: world, browser: browser)
        try demo.tell()
        try StandardStream.writeDemo("demo: all \(demo.steps) steps passed\n")
    }

    private mutating func tell() throws(Complaint) {
        let repository = world.scratch + "/repositories/private.git"

        try step("a private session bus") { world throws(Complaint) in try world.startBus() }
        try step("a real gnome-keyring, unlocked") { world throws(Complaint) in try world.startKeyring() }
        try step("the sandbox: an OpenID provider and a git server") { world throws(Complaint) in
            try world.startIssuer(accessLifetime: Self.accessLifetime)
        }
        try step("a private repository") { world throws(Complaint) in try Self.makeRepository(repository, world) }
        try step("configure profile and git") { [browser] world throws(Complaint) in
            try world.expect("mojoauth-credential", Self.profileArguments(world, browser))
            try world.expect("mojoauth-credential", ["configure", "git", world.issuer, "--allow-insecure"])
        }
        try step("a clone before the login is refused") { world throws(Complaint) in
            try Self.expectRefusal(Self.clone("before", world))
        }
        try step("sign in with the browser") { world throws(Complaint) in
            // The one step that a person may be asked in.
            try world.expect("mojoauth-credential", ["login"], with: ["GCM_INTERACTIVE": "auto"])
        }
        try step("git clone with the new login") { world throws(Complaint) in
            try Self.expectClone("first", world)
        }
        try step("a second clone, no browser, no request to the issuer") { world throws(Complaint) in
            try Self.expectClone("second", world)
            try Self.expectTokenRequests(refreshes: 0, world)
        }
        try step("the token expires") { world throws(Complaint) in try Self.waitForExpiry(world) }
        try step("git clone after one silent refresh") { world throws(Complaint) in
            try Self.expectClone("third", world)
            try Self.expectTokenRequests(refreshes: 1, world)
        }
        try step("sign out") { world throws(Complaint) in try world.expect("mojoauth-credential", ["logout"]) }
        try step("a clone after the logout is refused") { world throws(Complaint) in
            try Self.expectRefusal(Self.clone("after", world))
        }
    }

    /// Runs one step and prints its line.
    private mutating func step(
        _ title: String, _ body: (DemoWorld) throws(Complaint) -> Void
    ) throws(Complaint) {
        let start = Clock.monotonic()
        steps += 1
        do throws(Complaint) {
            try body(world)
        } catch {
            try StandardStream.writeDemo("✗ \(title)\n")
            throw error
        }
        let hundredths = Int((Clock.monotonic() - start) * 100)
        let seconds = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) s"
        let padding = String(repeating: " ", count: max(1, 60 - title.count - seconds.count))
        try StandardStream.writeDemo("✓ \(title)\(padding)\(seconds)\n")
    }

    private static func profileArguments(_ world: DemoWorld, _ browser: String?) -> [String] {
        let command =
            browser.map { $0.contains("%s") ? $0 : "\($0) %s" } ?? "\(world.programs)/mojoauth-sandbox browse %s"
        return [
            "configure", "profile", "--issuer", world.issuer, "--client-id", world.clientID, "--redirect-uri",
            "http://127.0.0.1/callback", "--browser", command, "--min-lifetime", "1",
        ]
    }

    private static func makeRepository(_ path: String, _ world: DemoWorld) throws(Complaint) {
        let work = world.scratch + "/work"
        try world.expect("git", ["init", "--quiet", "--bare", path])
        try world.expect("git", ["init", "--quiet", work])
        try world.expect(
            "git",
            [
                "-C", work, "-c", "user.name=Demo", "-c", "user.email=demo@example.com", "commit", "--quiet",
                "--allow-empty",
                "--message", "Hello",
            ])
        try world.expect("git", ["-C", work, "push", "--quiet", path, "HEAD:refs/heads/main"])
        try world.expect("git", ["-C", path, "symbolic-ref", "HEAD", "refs/heads/main"])
    }

    private typealias Ended = (status: Int32, output: String, errors: String)

    private static func clone(_ name: String, _ world: DemoWorld) throws(Complaint) -> Ended {
        try world.run("git", ["clone", "--quiet", "\(world.issuer)/git/private.git", "\(world.scratch)/\(name)"])
    }

    private static func expectClone(_ name: String, _ world: DemoWorld) throws(Complaint) {
        let ended = try clone(name, world)
        guard ended.status == 0, access("\(world.scratch)/\(name)/.git/HEAD", F_OK) == 0 else {
            throw Complaint("git clone failed: \(ended.errors)", exitCode: .protocolFailure)
        }
    }

    private static func expectRefusal(_ ended: Ended) throws(Complaint) {
        guard ended.status != 0 else { throw Complaint("git clone went through", exitCode: .protocolFailure) }
        guard ended.errors.contains("not logged in") else {
            throw Complaint("git clone failed for another reason: \(ended.errors)", exitCode: .protocolFailure)
        }
    }

    private static func expectTokenRequests(refreshes: Int, _ world: DemoWorld) throws(Complaint) {
        let (codes, found) = (world.tokenRequests("authorization_code"), world.tokenRequests("refresh_token"))
        guard codes == 1, found == refreshes else {
            throw Complaint(
                "the issuer saw \(codes) code exchanges and \(found) refreshes, not 1 and \(refreshes)",
                exitCode: .protocolFailure)
        }
    }

    private static func waitForExpiry(_ world: DemoWorld) throws(Complaint) {
        let ended = try world.run("mojoauth-credential", ["status", "--json"])
        guard let report = (try? JSONValue(parsing: Array(ended.output.utf8)))?.object,
            let expiry = report["expires_at"]?.integer
        else { throw Complaint("status says nothing of an expiry: \(ended.errors)", exitCode: .protocolFailure) }
        while Clock.now() <= expiry { usleep(50_000) }
    }
}

extension DemoWorld {
    /// Runs a program that must succeed.
    fileprivate func expect(
        _ program: String, _ arguments: [String], with extra: [String: String] = [:]
    ) throws(Complaint) {
        let ended = try run(program, arguments, with: extra)
        guard ended.status == 0 else {
            throw Complaint(
                "\(program) \(arguments.first ?? "") ended with exit code \(ended.status): \(ended.errors)",
                exitCode: .protocolFailure)
        }
    }
}

extension StandardStream {
    fileprivate static func writeDemo(_ text: String) throws(Complaint) {
        do throws(Failure) {
            try writeOutput(text)
        } catch {
            throw Complaint("cannot write the output: \(error.description)", exitCode: .protocolFailure)
        }
    }
}
