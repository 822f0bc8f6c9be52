import Foundation
import TestSupport
import Testing

/// Go, which downloads a module through a proxy that wants a token for everything.
@Suite(.serialized, .clients) struct GoModuleTests {
    private static let module = "/go/example.com/hello/@v/v1.0.0.zip"

    /// `go mod download` in a module that wants another.
    private static func arguments(_ packages: PackageWorld, _ more: [String] = []) throws -> [String] {
        let folder = try packages.world.scratch.folder("go")
        try packages.world.scratch.write(
            "module example.org/main\n\ngo 1.20\n\nrequire example.com/hello v1.0.0\n", to: "go/go.mod")
        return ["-C", folder, "mod", "download"] + more
    }

    private static func environment(_ packages: PackageWorld, proxy: String? = nil) -> [String: String?] {
        [
            "GOAUTH": "mojoauth-helper goauth", "GOPROXY": proxy ?? "\(packages.server.origin)/go", "GONOSUMDB": "*",
            "GOTOOLCHAIN": "local", "GOPATH": packages.world.scratch.path("gopath"), "GOFLAGS": "-modcacherw",
            "SSL_CERT_FILE": packages.server.authorityFile,
        ]
    }

    @Test(arguments: Situation.allCases) func downloadsAModule(_ situation: Situation) throws {
        let packages = try situation.make()
        let outcome = try packages.world.run(
            PackageWorld.client("bin/go"), Self.arguments(packages), environment: Self.environment(packages))
        #expect((outcome.exitCode == 0) == situation.succeeds, "\(outcome)\n\(packages.server.log)")
        #expect(packages.server.served.contains(Self.module) == situation.succeeds, "\(packages.server.log)")
        #expect(packages.server.served.isEmpty != situation.succeeds, "\(packages.server.log)")
        #expect(try packages.sandbox.refreshes() == (situation == .staleToken ? 1 : 0))
    }

    /// Go looks for the header by the proxy's own letters, whatever the entry's are.
    @Test(arguments: ["https://LOCALHOST:PORT/go", "https://LocalHost:PORT/go/", "HTTPS://localhost:PORT/go"])
    func proxyIsSpelledInAnotherWay(_ proxy: String) throws {
        let packages = try PackageWorld()
        let outcome = try packages.world.run(
            PackageWorld.client("bin/go"), Self.arguments(packages),
            environment: Self.environment(packages, proxy: proxy.replacing("PORT", with: packages.server.port)))
        #expect(outcome.exitCode == 0, "\(outcome)\n\(packages.server.log)")
        #expect(packages.server.served.contains(Self.module), "\(packages.server.log)")
    }

    /// Go keeps our words to itself; with `-x` it tells them.
    @Test func saysWhyOnlyWhenItIsAsked() throws {
        let packages = try PackageWorld(logsIn: false)
        let environment = Self.environment(packages)
        let go = try PackageWorld.client("bin/go")
        let quiet = try packages.world.run(go, Self.arguments(packages), environment: environment)
        #expect(quiet.exitCode != 0 && !quiet.errors.contains("mojoauth"), "\(quiet)")
        let verbose = try packages.world.run(go, Self.arguments(packages, ["-x"]), environment: environment)
        #expect(verbose.exitCode != 0 && verbose.errors.contains("mojoauth-helper: error: not logged in"), "\(verbose)")
        #expect(verbose.errors.contains("hint: run 'mojoauth-credential login'"), "\(verbose)")
    }

    /// So the desktop says that a login is needed, also to a person at a terminal.
    @Test func desktopTellsThatALoginIsNeeded() throws {
        let packages = try PackageWorld(logsIn: false)
        let world = packages.world
        // One that no other run has: what was told is noted down for ten minutes in the person's real home.
        try world.configure(
            issuer: "https://\(UUID().uuidString.lowercased()).example", clientID: "c",
            hosts: [packages.server.origin: [:]])
        let daemon = try NotificationDaemon(in: world, .closes)
        world.set(["DISPLAY": ":0"])
        let terminal = try PseudoTerminal()
        try terminal.start(
            world, PackageWorld.client("bin/go"), Self.arguments(packages), environment: Self.environment(packages))
        #expect(try terminal.finish() != 0 && !terminal.text.contains("mojoauth"), "\(terminal.text)")
        let shown = try daemon.waitForOne()
        #expect(shown.summary == "Sign in")
        #expect(shown.body == "A program needs the login of profile \"default\".")
        #expect(shown.actions == ["sign-in", "Sign in"])
    }
}
