import Options
import Program
import Sandbox

/// `mojoauth-sandbox browse`: a browser that goes through the sandbox's pages by itself.
enum BrowseCommand {
    static let command = Command(
        name: "browse", summary: "walk through the sign-in page as a person would", run: run)

    private struct Values {
        var visitor = Visitor(email: "alice@example.com")
        var cookieFile: String?
        var wantsHelp = false
    }

    private static func run(_ arguments: [String]) throws(Complaint) -> ExitCode {
        var values = Values()
        let rest = try table.parse(arguments, into: &values)
        if values.wantsHelp { return try Dispatcher.print(table.help()) }
        guard let url = rest.first, rest.count == 1 else {
            throw Complaint("one URL is wanted", hint: "see '\(table.command) --help'", exitCode: .usage)
        }
        var browser = try ScriptedBrowser(visitor: values.visitor, cookieFile: values.cookieFile)
        let page = try browser.visit(url)
        return try Dispatcher.print(page.title.map { $0 + "\n" } ?? "")
    }

    private static var table: OptionTable<Values> {
        OptionTable(
            command: "\(Dispatcher.program) browse", parameters: "URL",
            summary: "Opens URL, fills the sandbox's forms and follows its redirects. Never leaves loopback.",
            description: "Its exit code is 0 when the last page was fetched. It prints that page's title.",
            rows: [
                OptionRow("user", value: "EMAIL", help: "Who signs in (alice@example.com)") { values, text in
                    values.visitor.email = text
                },
                OptionRow("deny", help: "Press Deny instead of Allow") { values, _ in values.visitor.denies = true },
                OptionRow("cookies", value: "FILE", help: "Keep cookies in FILE from one run to the next") {
                    values, text in
                    values.cookieFile = text
                },
                OptionRow("help", short: "h", help: "Show this help") { values, _ in values.wantsHelp = true },
            ])
    }
}
