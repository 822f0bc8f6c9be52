import Program
import Sandbox

/// `mojoauth-sandbox faults`: what can go wrong, one line each.
enum FaultsCommand {
    static let command = Command(name: "faults", summary: "list every fault, one line each", run: run)

    private static func run(_ arguments: [String]) throws(Complaint) -> ExitCode {
        if let word = arguments.first, word != "--help", word != "-h" {
            throw Complaint("unexpected argument '\(word)'", exitCode: .usage)
        }
        if !arguments.isEmpty {
            return try Dispatcher.print(
                "Usage: \(Dispatcher.program) faults\n\nLists every fault: name, endpoint, effect.\n")
        }
        return try Dispatcher.print(Fault.table.map { $0.line + "\n" }.joined())
    }
}
