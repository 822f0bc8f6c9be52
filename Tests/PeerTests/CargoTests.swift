import Foundation
import TestSupport
import Testing

/// Cargo, which fetches a crate from a registry that wants a token for everything.
@Suite(.serialized, .clients) struct CargoTests {
    private static func cargo(_ packages: PackageWorld, _ arguments: [String]) throws -> Outcome {
        try packages.world.run(Tool.cargo.path(), arguments, environment: environment(packages))
    }

    /// Writes a crate that needs another, and says where Cargo finds what it needs.
    private static func environment(_ packages: PackageWorld) throws -> [String: String?] {
        let world = packages.world
        try world.scratch.write(
            """
            [registries.test]
            index = "sparse+\(packages.server.origin)/cargo/"
            credential-provider = ["cargo-credential-mojoauth"]

            """, to: "home/.cargo/config.toml")
        try world.scratch.write(
            """
            [package]
            name = "main"
            version = "0.1.0"
            edition = "2021"

            [dependencies]
            hello = { version = "1.0.0", registry = "test" }

            """, to: "crate/Cargo.toml")
        try world.scratch.write("", to: "crate/src/lib.rs")
        // rustup, where Cargo comes by it, keeps its toolchains in the home of whoever runs the tests.
        let rustup = ProcessInfo.processInfo.environment["RUSTUP_HOME"] ?? NSHomeDirectory() + "/.rustup"
        return [
            // Cargo asks the compiler that lies beside it.
            "PATH":
                "\(world.environment["PATH"] ?? ""):\((try Tool.cargo.path() as NSString).deletingLastPathComponent)",
            "CARGO_HTTP_CAINFO": packages.server.authorityFile, "RUSTUP_HOME": rustup,
            "CARGO_HOME": world.scratch.path("home/.cargo"),
        ]
    }

    @Test(arguments: Situation.allCases) func fetchesACrate(_ situation: Situation) throws {
        let packages = try situation.make()
        let manifest = packages.world.scratch.path("crate/Cargo.toml")
        let outcome = try Self.cargo(packages, ["fetch", "--manifest-path", manifest])
        #expect((outcome.exitCode == 0) == situation.succeeds, "\(outcome)\n\(packages.server.log)")
        #expect(
            packages.server.served.contains("/cargo/dl/hello/1.0.0/download") == situation.succeeds,
            "\(packages.server.log)")
        #expect(packages.server.served.isEmpty != situation.succeeds, "\(packages.server.log)")
        #expect(try packages.sandbox.refreshes() == (situation == .staleToken ? 1 : 0))
        switch situation {
        case .noLogin:
            #expect(outcome.errors.contains("not logged in"), "\(outcome)")
            #expect(outcome.errors.contains("run 'mojoauth-credential login'"), "\(outcome)")
        case .noEntry:
            #expect(outcome.errors.contains("no credential providers could handle the request"), "\(outcome)")
        default: break
        }
    }

    /// With a person at its terminal, whom a provider reaches by /dev/tty alone, it waits for a login.
    @Test func opensALoginAtATerminal() throws {
        let packages = try PackageWorld(logsIn: false)
        let environment = try Self.environment(packages)
        let terminal = try PseudoTerminal()
        try terminal.start(
            packages.world, try Tool.cargo.path(),
            ["fetch", "--manifest-path", packages.world.scratch.path("crate/Cargo.toml")], environment: environment)
        let status = try terminal.finish()
        #expect(status == 0, "\(terminal.text)\n\(packages.server.log)")
        #expect(
            packages.server.served.contains("/cargo/dl/hello/1.0.0/download"), "\(packages.server.log)")
        #expect(try packages.sandbox.tokenRequests("authorization_code") == 1)
    }

    /// `cargo login` needs no token, and takes none of others; `cargo logout` does not end a login that others use.
    @Test func loginAndLogout() throws {
        let packages = try PackageWorld()
        let login = try Self.cargo(packages, ["login", "--registry", "test"])
        #expect(login.exitCode == 0, "\(login)\n\(packages.server.log)")
        let logout = try Self.cargo(packages, ["logout", "--registry", "test"])
        #expect(logout.exitCode != 0 && logout.errors.contains("mojoauth-credential logout"), "\(logout)")
        #expect(try packages.world.items([:]).count == 1)
    }
}
