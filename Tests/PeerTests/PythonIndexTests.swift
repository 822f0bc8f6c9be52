import TestSupport
import Testing

/// pip, an older one too, and uv, which install a wheel from an index that wants a token for everything. Both run what
/// they find under the name `keyring`.
@Suite(.serialized, .clients) struct PythonIndexTests {
    enum Installer: CaseIterable, Sendable {
        /// Asks `keyring get URL USER`.
        case olderPip
        /// Asks `keyring --mode=creds --output=json get URL`.
        case pip
        case uv

        func install(from index: String, _ packages: PackageWorld) throws -> Outcome {
            let world = packages.world
            let target = ["--target", world.scratch.path("installed"), "--keyring-provider", "subprocess"]
            let folder = try world.scratch.folder("keyring")
            let linked = try world.run("ln", ["-sfn", world.scratch.path("bin/mojoauth-helper"), "\(folder)/keyring"])
            guard linked.exitCode == 0 else { throw MissingPart(description: "ln: \(linked)") }
            let environment: [String: String?] = [
                "PATH": "\(folder):\(world.environment["PATH"] ?? "")", "SSL_CERT_FILE": packages.server.authorityFile,
            ]
            switch self {
            case .olderPip, .pip:
                return try world.run(
                    PackageWorld.client(self == .pip ? "bin/pip" : "older/bin/pip"),
                    ["install", "--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir"] + target
                        + ["--cert", packages.server.authorityFile, "--index-url", index, "hello"],
                    environment: environment)
            case .uv:
                return try world.run(
                    PackageWorld.client("bin/uv"),
                    ["pip", "install", "--quiet", "--no-cache", "--python", Tool.python.path()] + target
                        + ["--default-index", index, "hello"], environment: environment)
            }
        }
    }

    @Test(arguments: Installer.allCases, Situation.allCases)
    func installsAWheel(_ installer: Installer, _ situation: Situation) throws {
        let packages = try situation.make()
        // An older pip and uv ask only for a user that the address names.
        let index = "https://oauth2@localhost:\(packages.server.port)/python/simple/"
        let outcome = try installer.install(from: index, packages)
        #expect((outcome.exitCode == 0) == situation.succeeds, "\(outcome)\n\(packages.server.log)")
        #expect(
            packages.server.served.contains { $0.hasSuffix("/hello-1.0-py3-none-any.whl") } == situation.succeeds,
            "\(packages.server.log)")
        #expect(packages.server.served.isEmpty != situation.succeeds, "\(packages.server.log)")
        #expect(try packages.sandbox.refreshes() == (situation == .staleToken ? 1 : 0))
    }

    /// A current pip learns the user, too.
    @Test func pipNeedsNoUserInTheAddress() throws {
        let packages = try PackageWorld()
        let outcome = try Installer.pip.install(from: "\(packages.server.origin)/python/simple/", packages)
        #expect(outcome.exitCode == 0, "\(outcome)\n\(packages.server.log)")
    }
}
