import Program

/// `unconfigure` and its subcommands: each takes back what that of `configure` wrote.
enum UnconfigureCommand: CommandGroup {
    static let name = "unconfigure"
    static let summary = "Take back what configure wrote"

    static var description: String {
        """
        'mojoauth-credential unconfigure git --help' and so on show the options of each.

        Examples:
          mojoauth-credential unconfigure git https://git.example.com
          mojoauth-credential unconfigure docker registry.example.com
          mojoauth-credential unconfigure cargo
        """
    }

    static var subcommands: [any Command.Type] {
        [
            UnconfigureProfileCommand.self, UnconfigureGitCommand.self, UnconfigureDockerCommand.self,
            UnconfigureHostCommand.self, UnconfigureToolCommand<KubernetesTool>.self,
            UnconfigureToolCommand<CargoTool>.self, UnconfigureToolCommand<GoTool>.self,
            UnconfigureToolCommand<TerraformTool>.self, UnconfigureToolCommand<PipTool>.self,
            UnconfigureToolCommand<UVTool>.self, UnconfigureToolCommand<BazelTool>.self,
            UnconfigureBackgroundCommand.self,
        ]
    }

    /// Tells what was done. That nothing was there to undo is no failure.
    static func report(_ lines: String, about what: String) -> ExitCode {
        StandardStream.writeError(lines.isEmpty ? "Nothing to undo for \(what).\n" : lines)
        return .success
    }
}
