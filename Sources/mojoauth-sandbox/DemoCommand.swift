import Options
import Program
import Sandbox

/// `mojoauth-sandbox demo`: the whole story, on a bus and a keyring of its own.
enum DemoCommand {
    static let command = Command(
        name: "demo", summary: "sign in, clone, renew, sign out: all of it, a line a step", run: run)

    private struct Values {
        var browser: String?
        var wantsHelp = false
    }

    private static func run(_ arguments: [String]) throws(Complaint) -> ExitCode {
        var values = Values()
        let rest = try table.parse(arguments, into: &values)
        if values.wantsHelp { return try Dispatcher.print(table.help()) }
        guard rest.isEmpty else {
            throw Complaint("demo takes no words", hint: "see '\(table.command) --help'", exitCode: .usage)
        }
        do throws(Complaint) {
            try Demo.run(browser: values.browser)
            return .success
        } catch {
            // Whatever a step failed with, the demo has failed.
            throw Complaint(error.message, hint: error.hint, exitCode: .protocolFailure)
        }
    }

    private static var table: OptionTable<Values> {
        OptionTable(
            command: "\(Dispatcher.program) demo",
            summary: "Runs the main job on a private session bus, keyring, issuer and git server.",
            description: "Nothing of yours is read or written. The programs are those beside this one.",
            rows: [
                OptionRow("browser", value: "COMMAND", help: "Go through the sign-in page yourself, in this browser") {
                    values, text in
                    values.browser = text.isEmpty ? nil : text
                },
                OptionRow("help", short: "h", help: "Show this help") { values, _ in values.wantsHelp = true },
            ])
    }
}
