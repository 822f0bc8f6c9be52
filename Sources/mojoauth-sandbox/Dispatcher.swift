import Options
import Program

/// A command of the sandbox.
struct Command: Sendable {
    var name: String
    /// One line of the overview.
    var summary: String
    /// Takes the words behind the command's name.
    var run: @Sendable ([String]) throws(Complaint) -> ExitCode
}

/// Finds the command and turns a failure into its lines and its exit code.
enum Dispatcher {
    static let program = "mojoauth-sandbox"

    /// All commands, in the order of the overview.
    static let commands = [ServeCommand.command, FaultsCommand.command, BrowseCommand.command, DemoCommand.command]

    static func run(_ arguments: [String]) -> ExitCode {
        do {
            return try dispatch(arguments)
        } catch {
            StandardStream.writeError(error.lines(program: program))
            return error.exitCode
        }
    }

    private static func dispatch(_ arguments: [String]) throws(Complaint) -> ExitCode {
        guard let word = arguments.first else {
            StandardStream.writeError(overview)
            return .usage
        }
        switch word {
        case "--help", "-h", "help": return try print(overview)
        case "--version", "version": return try print("\(program) \(Version.text)\n")
        default: break
        }
        guard let command = commands.first(where: { $0.name == word }) else {
            let near = Suggestion.nearest(to: word, among: commands.map(\.name))
            throw Complaint(
                "there is no command '\(word)'",
                hint: near.map { "did you mean '\(program) \($0)'?" } ?? "see '\(program) --help'", exitCode: .usage)
        }
        return try command.run(Array(arguments.dropFirst()))
    }

    private static var overview: String {
        let width = (commands.map(\.name.count).max() ?? 0) + 3
        let lines = commands.map {
            "  \($0.name)\(String(repeating: " ", count: width - $0.name.count))\($0.summary)\n"
        }
        return
            "Usage: \(program) COMMAND [OPTION]...\n\nA local OpenID provider to try and test with.\n\n\(lines.joined())\n"
            + "'\(program) COMMAND --help' tells more of a command.\n"
    }

    /// Writes an answer to standard output.
    static func print(_ text: String) throws(Complaint) -> ExitCode {
        do {
            try StandardStream.writeOutput(text)
            return .success
        } catch {
            throw Complaint("cannot write the answer: \(error.description)", exitCode: .protocolFailure)
        }
    }
}
