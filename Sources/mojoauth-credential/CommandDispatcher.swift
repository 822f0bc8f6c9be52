import Options
import Program

/// Finds the command and turns its complaint into lines and an exit code.
enum CommandDispatcher {
    /// In the order of the help.
    static var commands: [any Command.Type] {
        [
            LoginCommand.self, LogoutCommand.self, StatusCommand.self, WhoamiCommand.self, ListCommand.self,
            DoctorCommand.self, ExplainCommand.self, RefreshCommand.self, GetCommand.self, RunCommand.self,
            StoreCommand.self, EraseCommand.self, ConfigureCommand.self, UnconfigureCommand.self, UnlockCommand.self,
            CompletionCommand.self, VersionCommand.self, HelpCommand.self,
        ]
    }

    static func run(_ arguments: [String]) -> ExitCode {
        do throws(Complaint) {
            guard let name = arguments.first else {
                try print(Guide.text)
                return .success
            }
            switch name {
            case "--help", "-h": return try HelpCommand.main([])
            case "--version", "-V": return try VersionCommand.main([])
            default: return try find(name).main(Array(arguments.dropFirst()))
            }
        } catch {
            StandardStream.writeError(error.lines(program: "mojoauth-credential"))
            return error.exitCode
        }
    }

    static func find(_ name: String) throws(Complaint) -> any Command.Type {
        if let command = commands.first(where: { $0.name == name }) { return command }
        let nearest = Suggestion.nearest(to: name, among: commands.map { $0.name })
        throw Complaint(
            "there is no command \"\(name)\"",
            hint: nearest.map { "did you mean \"\($0)\"?" } ?? "see 'mojoauth-credential help'", exitCode: .usage)
    }
}
