/// `configure` and its subcommands.
enum ConfigureCommand: CommandGroup {
    static let name = "configure"
    static let summary = "Set up a profile, a host, git, docker or another tool"

    static var description: String {
        """
        'mojoauth-credential configure profile --help' and so on show the options of each.

        Examples:
          mojoauth-credential configure profile
          mojoauth-credential configure git https://git.example.com
          mojoauth-credential configure docker registry.example.com
          mojoauth-credential configure cargo
        """
    }

    static var subcommands: [any Command.Type] {
        [
            ConfigureProfileCommand.self, ConfigureGitCommand.self, ConfigureDockerCommand.self,
            ConfigureHostCommand.self, ConfigureToolCommand<KubernetesTool>.self,
            ConfigureToolCommand<CargoTool>.self, ConfigureToolCommand<GoTool>.self,
            ConfigureToolCommand<TerraformTool>.self, ConfigureToolCommand<PipTool>.self,
            ConfigureToolCommand<UVTool>.self, ConfigureToolCommand<BazelTool>.self, ConfigureBackgroundCommand.self,
        ]
    }
}
