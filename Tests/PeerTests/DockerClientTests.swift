import TestSupport
import Testing

/// docker's own command, with our registry and with those of others. No engine runs.
@Suite(.serialized, .clients) struct DockerClientTests {
    /// With a stored credential and none typed: docker gets it, tries it, and stores it again.
    @Test(arguments: HelperSetting.allCases) func loginWithOurTokenNeedsNoPassword(_ setting: HelperSetting) throws {
        let docker = try DockerWorld(setting)
        let engine = try EngineStandIn(in: docker.world)
        let before = try docker.state()
        let login = try docker.world.run(.docker, ["login", docker.server])
        #expect(login.exitCode == 0 && login.text.contains("Login Succeeded"), "\(login)\n\(engine.log)")
        #expect(engine.log.contains("auth oauth2 200"))
        #expect(try docker.state() == before)
        #expect(try docker.world.items([:]).count == 1)
        #expect(try !docker.world.scratch.read("home/.docker/config.json").contains("eyJ"))
    }

    /// Typed in, or handed in by a script: our own token is good, another password is not kept beside it.
    @Test func loginWithATokenInHandIsAccepted() throws {
        let docker = try DockerWorld(.credHelpers)
        let token = try #require(
            docker.world.dockerCredential("get", docker.server).text.firstMatch(of: /"Secret":"([^"]+)"/)?.1)
        let arguments = ["login", "--username", "oauth2", "--password-stdin", docker.server]
        let login = try docker.world.run(.docker, arguments, input: String(token))
        #expect(login.exitCode == 0, "\(login)")
        let refused = try docker.world.dockerCredential(
            "store", #"{"ServerURL":"\#(docker.server)","Username":"bob","Secret":"another"}"#)
        #expect(
            refused.exitCode == 1
                && refused.text
                    == "\(docker.server) is served by profile default; to store another secret, first run 'mojoauth-credential unconfigure docker \(docker.server)'\n",
            "\(refused)")
        #expect(try docker.world.items([:]).count == 1)
        // The command that it names does what it says.
        let undone = try docker.world.run("mojoauth-credential", ["unconfigure", "docker", docker.server])
        #expect(undone.exitCode == 0 && undone.errors.contains("Removed credHelpers"), "\(undone)")
    }

    @Test func loginTypedOnATerminalIsKeptAndUsed() throws {
        let world = try World()
        let registry = try DockerRegistry(foreignIn: world)
        try world.useHelperForDocker(HelperSetting.credsStore.configuration(for: ""))
        // A terminal of its own: docker asks for a name and a password on nothing else.
        let typed = try world.run(
            "script", ["--quiet", "--return", "--command", "docker login \(registry.server)", "/dev/null"],
            input: "\(ForeignAccount.user)\n\(ForeignAccount.password)\n")
        #expect(typed.exitCode == 0 && typed.text.contains("Login Succeeded"), "\(typed)")
        #expect(try world.secret(["docker_cli": "1"]) == ForeignAccount.password)
        // The second time nothing is asked for.
        let engine = try EngineStandIn(in: world)
        let again = try world.run(.docker, ["login", registry.server])
        #expect(engine.log.contains("auth \(ForeignAccount.user) 200"))
        #expect(again.exitCode == 0 && again.text.contains("Login Succeeded"), "\(again)")
        #expect(try world.items([:]).count == 1)
    }

    @Test(arguments: HelperSetting.allCases) func inspectWithACredentialOfOthers(_ setting: HelperSetting) throws {
        let world = try World()
        let registry = try DockerRegistry(foreignIn: world)
        let image = "\(registry.server)/hello:latest"
        try world.useHelperForDocker(setting.configuration(for: registry.server))
        try world.pushImage(to: image, credential: "\(ForeignAccount.user):\(ForeignAccount.password)")
        let inspect = ["manifest", "inspect", "--insecure", image]
        #expect(try world.run(.docker, inspect).exitCode != 0)
        let object =
            #"{"ServerURL":"\#(registry.server)","Username":"\#(ForeignAccount.user)","Secret":"\#(ForeignAccount.password)"}"#
        #expect(try world.dockerCredential("store", object).exitCode == 0)
        let outcome = try world.run(.docker, inspect)
        #expect(outcome.exitCode == 0 && outcome.text.contains("schemaVersion"), "\(outcome)")
        let logout = try world.run(.docker, ["logout", registry.server])
        #expect(logout.exitCode == 0 && !logout.errors.contains("WARNING"), "\(logout)")
        #expect(try world.items([:]).isEmpty)
        #expect(try world.run(.docker, inspect).exitCode != 0)
    }

    /// docker erases a registry under four spellings, and asks for more at its own.
    @Test(arguments: ["registry.example.org", "docker.io", ""]) func logoutOfAnUnknownRegistryIsSilent(
        _ server: String
    ) throws {
        let world = try World()
        try world.useHelperForDocker(HelperSetting.credsStore.configuration(for: ""))
        let logout = try world.run(.docker, ["logout"] + (server.isEmpty ? [] : [server]))
        #expect(logout.exitCode == 0 && !(logout.errors + logout.text).lowercased().contains("warning"), "\(logout)")
    }

    @Test(arguments: HelperSetting.allCases) func logoutKeepsOurLogin(_ setting: HelperSetting) throws {
        let docker = try DockerWorld(setting)
        let before = try docker.state()
        let logout = try docker.world.run(.docker, ["logout", docker.server])
        #expect(logout.exitCode == 0, "\(logout)")
        #expect(try docker.state() == before)
        #expect(try docker.world.dockerCredential("get", docker.server).exitCode == 0)
    }

    /// A token service between registry and client takes our token as a password.
    @Test(arguments: HelperSetting.allCases) func tokenServiceTakesOurTokenAsPassword(_ setting: HelperSetting) throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        let registry = try TokenRegistry(in: world, issuer: sandbox.issuer)
        let image = "\(registry.server)/hello:latest"
        try world.configure(sandbox, hosts: ["http://\(registry.server)": [:]])
        try world.useHelperForDocker(setting.configuration(for: registry.server))
        #expect(try world.run("mojoauth-credential", ["login"]).exitCode == 0)
        if setting == .credHelpers {
            try world.pushImage(to: image)
        } else {
            try world.pushImage(to: image, credential: "\(ForeignAccount.user):\(ForeignAccount.password)")
        }
        let inspect = try world.run(.docker, ["manifest", "inspect", "--insecure", image])
        #expect(inspect.exitCode == 0, "\(inspect)\n\(registry.log)")
        #expect(registry.log.contains(" oauth2 granted"), "\(registry.log)")
        #expect(try world.items([:]).count == 1)
    }

    /// What docker keeps for an account there is a refresh token under the name `<token>`.
    @Test func identityTokenOfAnotherServiceIsKeptAndUsed() throws {
        let world = try World()
        let registry = try TokenRegistry(in: world)
        let image = "\(registry.server)/hello:latest"
        try world.useHelperForDocker(HelperSetting.credHelpers.configuration(for: registry.server))
        try world.pushImage(to: image, credential: "\(ForeignAccount.user):\(ForeignAccount.password)")
        let login = try world.run(
            .docker, ["login", "--username", ForeignAccount.user, "--password-stdin", registry.server],
            input: ForeignAccount.password)
        #expect(login.exitCode == 0, "\(login)\n\(registry.log)")
        #expect(try world.secret(["docker_cli": "1", "username": "<token>"])?.hasPrefix("identity-") == true)
        let inspect = try world.run(.docker, ["manifest", "inspect", "--insecure", image])
        #expect(inspect.exitCode == 0, "\(inspect)\n\(registry.log)")
        #expect(registry.log.contains("refresh_token - granted"), "\(registry.log)")
    }
}
