import Testing
import TestSupport

/// docker's own command and skopeo against real registries. No engine runs.
@Suite(.serialized) struct DockerTests {
    enum Setting: String, CaseIterable, Sendable {
        case credHelpers, credsStore

        func configuration(for server: String) -> String {
            switch self {
            case .credHelpers: #"{"credHelpers":{"\#(server)":"mojoauth"}}"#
            case .credsStore: #"{"credsStore":"mojoauth"}"#
            }
        }
    }

    @Test(arguments: Setting.allCases) func dockerInspectsWithOurToken(_ setting: Setting) throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        let registry = try DockerRegistry(in: world, keySet: sandbox.keySet)
        try world.configure(sandbox, hosts: ["http://\(registry.server)": [:]])
        try world.useHelperForDocker(setting.configuration(for: registry.server))
        let image = "\(registry.server)/hello:latest"

        let before = try world.run(.docker, ["manifest", "inspect", "--insecure", image])
        #expect(before.exitCode != 0, "\(before)")
        #expect(try world.run("mojoauth-credential", ["login"]).exitCode == 0)
        try world.pushImage(to: image, credential: "oauth2:\(world.dockerSecret(of: registry.server))")
        let after = try world.run(.docker, ["manifest", "inspect", "--insecure", image])
        #expect(after.exitCode == 0, "\(after)\n\(registry.log)")
        #expect(after.text.contains("schemaVersion"))
    }

    @Test func skopeoPushesAndInspectsWithOurToken() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        let registry = try DockerRegistry(in: world, keySet: sandbox.keySet)
        try world.configure(sandbox, hosts: ["http://\(registry.server)": [:]])
        try world.useHelperForDocker(Setting.credHelpers.configuration(for: registry.server))
        #expect(try world.run("mojoauth-credential", ["login"]).exitCode == 0)
        try world.pushImage(to: "\(registry.server)/hello:latest")
        let outcome = try world.run(
            .skopeo,
            [
                "inspect", "--authfile", world.scratch.path("home/.docker/config.json"), "--tls-verify=false",
                "docker://\(registry.server)/hello:latest",
            ])
        #expect(outcome.exitCode == 0, "\(outcome)\n\(registry.log)")
    }

    @Test(arguments: Setting.allCases) func loginAndLogoutAtARegistryOfOthers(_ setting: Setting) throws {
        let world = try World()
        let registry = try DockerRegistry(foreignIn: world)
        try world.useHelperForDocker(setting.configuration(for: registry.server))
        let arguments = ["login", "--username", ForeignAccount.user, "--password-stdin", registry.server]
        let refused = try world.run(.docker, arguments, input: "wrong")
        #expect(refused.exitCode != 0, "\(refused)")
        let login = try world.run(.docker, arguments, input: ForeignAccount.password)
        #expect(login.exitCode == 0, "\(login)")
        let attributes = ["docker_cli": "1", "username": ForeignAccount.user]
        #expect(try world.secret(attributes) == ForeignAccount.password)
        // The password is in the keyring and nowhere else.
        #expect(try !world.scratch.read("home/.docker/config.json").contains("\"auth\""))
        let logout = try world.run(.docker, ["logout", registry.server])
        #expect(logout.exitCode == 0, "\(logout)")
        #expect(try world.items(attributes).isEmpty)
    }

    @Test func logoutOfDockerKeepsOurLogin() throws {
        let signedIn = try SignedIn()
        let world = signedIn.world
        try world.useHelperForDocker(Setting.credsStore.configuration(for: ""))
        let before = try signedIn.state()
        let logout = try world.run(.docker, ["logout", "git.example.com"])
        #expect(logout.exitCode == 0, "\(logout)")
        #expect(try signedIn.state() == before)
    }
}

extension World {
    /// The secret that docker would be given for a server.
    func dockerSecret(of server: String) throws -> String {
        let outcome = try dockerCredential("get", server)
        return try #require(outcome.text.firstMatch(of: /"Secret":"([^"]+)"/).map { String($0.1) }, "\(outcome)")
    }
}
