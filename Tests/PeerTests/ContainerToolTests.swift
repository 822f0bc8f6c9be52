import TestSupport
import Testing

/// skopeo, podman and buildah, which share one way to helpers: `credHelpers` of the file that `--authfile` names, or
/// `credential-helpers` of registries.conf. They ignore `credsStore`.
@Suite(.serialized, .clients) struct ContainerToolTests {
    enum ContainerTool: String, CaseIterable, Sendable {
        case skopeo, podman, buildah
    }

    private static func authfile(_ world: World) -> [String] { ["--authfile", world.dockerConfiguration] }

    @Test(arguments: ContainerTool.allCases) func loginAndLogoutAtARegistryOfOthers(_ tool: ContainerTool) throws {
        let world = try World()
        let registry = try DockerRegistry(foreignIn: world)
        try world.useHelperForDocker(HelperSetting.credHelpers.configuration(for: registry.server))
        let common = Self.authfile(world) + ["--tls-verify=false", registry.server]
        let arguments = ["login", "--username", ForeignAccount.user, "--password-stdin"] + common
        let refused = try world.run(tool.rawValue, arguments, input: "wrong")
        #expect(refused.exitCode != 0, "\(refused)")
        #expect(try world.items([:]).isEmpty)
        let login = try world.run(tool.rawValue, arguments, input: ForeignAccount.password)
        #expect(login.exitCode == 0, "\(login)")
        #expect(try world.secret(["docker_cli": "1", "username": ForeignAccount.user]) == ForeignAccount.password)
        #expect(try !world.scratch.read("home/.docker/config.json").contains("\"auth\""))
        let who = try world.run(
            tool.rawValue, ["login", "--get-login"] + Self.authfile(world) + [registry.server])
        #expect(who.exitCode == 0 && who.text == "\(ForeignAccount.user)\n", "\(who)")
        let logout = try world.run(tool.rawValue, ["logout"] + Self.authfile(world) + [registry.server])
        #expect(logout.exitCode == 0, "\(logout)")
        #expect(try world.items([:]).isEmpty)
    }

    @Test(arguments: ContainerTool.allCases) func knowsWhoOurTokenIsFor(_ tool: ContainerTool) throws {
        let docker = try DockerWorld(.credHelpers)
        let who = try docker.world.run(
            tool.rawValue, ["login", "--get-login"] + Self.authfile(docker.world) + [docker.server])
        #expect(who.exitCode == 0 && who.text == "oauth2\n", "\(who)")
        // Asked again with nothing typed, it finds the credential good.
        let before = try docker.state()
        let login = try docker.world.run(
            tool.rawValue, ["login"] + Self.authfile(docker.world) + ["--tls-verify=false", docker.server])
        #expect(login.exitCode == 0, "\(login)")
        let logout = try docker.world.run(tool.rawValue, ["logout"] + Self.authfile(docker.world) + [docker.server])
        #expect(logout.exitCode == 0, "\(logout)")
        #expect(try docker.state() == before)
    }

    @Test func skopeoCopiesAndInspectsWithOurToken() throws {
        let docker = try DockerWorld(.credHelpers)
        let world = docker.world
        try world.pushImage(to: docker.image)
        let inspect = try world.run(
            .skopeo, ["inspect"] + Self.authfile(world) + ["--tls-verify=false", "docker://\(docker.image)"])
        #expect(inspect.exitCode == 0 && inspect.text.contains("\"Digest\""), "\(inspect)\n\(docker.registry.log)")
        let copy = try world.run(
            .skopeo,
            ["--insecure-policy", "copy"] + ["--src-authfile", world.dockerConfiguration] + [
                "--src-tls-verify=false", "docker://\(docker.image)", "oci:\(world.scratch.path("copied")):latest",
            ])
        #expect(copy.exitCode == 0, "\(copy)\n\(docker.registry.log)")
    }

    /// For every registry at once, without a word in docker's file.
    @Test func registriesConfigurationNamesTheHelper() throws {
        let docker = try DockerWorld(.credHelpers)
        let world = docker.world
        try world.pushImage(to: docker.image)
        try world.scratch.write("{}", to: "home/.docker/config.json")
        let file = try world.scratch.write(
            """
            credential-helpers = ["mojoauth"]
            """, to: "registries.conf")
        let inspect = ["inspect", "--tls-verify=false", "docker://\(docker.image)"]
        #expect(try world.run(.skopeo, inspect).exitCode != 0)
        let outcome = try world.run(.skopeo, ["--registries-conf", file] + inspect)
        #expect(outcome.exitCode == 0, "\(outcome)\n\(docker.registry.log)")
    }

    /// A token service takes our token as a password from skopeo, too.
    @Test func skopeoInspectsThroughATokenService() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        let registry = try TokenRegistry(in: world, issuer: sandbox.issuer)
        let image = "\(registry.server)/hello:latest"
        try world.configure(sandbox, hosts: ["http://\(registry.server)": [:]])
        try world.useHelperForDocker(HelperSetting.credHelpers.configuration(for: registry.server))
        #expect(try world.run("mojoauth-credential", ["login"]).exitCode == 0)
        try world.pushImage(to: image)
        let inspect = try world.run(
            .skopeo, ["inspect"] + Self.authfile(world) + ["--tls-verify=false", "docker://\(image)"])
        #expect(inspect.exitCode == 0, "\(inspect)\n\(registry.log)")
        #expect(registry.log.contains("basic oauth2 granted"), "\(registry.log)")
    }
}
