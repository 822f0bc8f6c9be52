import Options
import Program

/// `unconfigure kubernetes` and its like.
enum UnconfigureToolCommand<Tool: ConfigurableTool>: Command {
    struct Values {}

    static var name: String { Tool.name }
    static var summary: String { "Take back what 'configure \(name)' wrote" }
    static var defaults: Values { Values() }

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential unconfigure \(name)", summary: summary, description: Tool.undoDescription,
            rows: [])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.isEmpty else {
            throw Complaint(
                "unconfigure \(name) takes no words", hint: "see '\(Tool.undo) --help'", exitCode: .usage)
        }
        return UnconfigureCommand.report(DisplayText.cleanLines(try Tool.unconfigure()), about: name)
    }
}
