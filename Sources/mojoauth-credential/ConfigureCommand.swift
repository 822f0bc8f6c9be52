/// `configure` and its subcommands.
enum ConfigureCommand: CommandGroup {
    static let name = "configure"
    static let summary = "Set up a profile, git, docker or the background refresh"

    static var description: String {
        """
        'mojoauth-credential configure profile --help' and so on show the options of each.

        Examples:
          mojoauth-credential configure profile
          mojoauth-credential configure git https://git.example.com
          mojoauth-credential configure docker registry.example.com
        """
    }

    static var subcommands: [any Command.Type] {
        [
            ConfigureProfileCommand.self, ConfigureGitCommand.self, ConfigureDockerCommand.self,
            ConfigureBackgroundCommand.self,
        ]
    }
}
