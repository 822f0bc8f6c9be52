import Configuration
import HelperCommands
import Options
import Program
import WebAddress

/// `configure kubernetes` and its like.
enum ConfigureToolCommand<Tool: ConfigurableTool>: Command {
    static var name: String { Tool.name }
    static var summary: String { Tool.summary }
    static var defaults: ToolOptions { ToolOptions() }

    static var table: OptionTable<ToolOptions> {
        OptionTable(
            command: "mojoauth-credential configure \(name)", summary: summary, description: Tool.description,
            rows: [
                OptionRow("host", value: "URL", help: "This host alone, of those that the configuration names") {
                    values, text in values.hosts.append(text)
                }
            ] + Tool.options)
    }

    static func run(_ values: ToolOptions, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.isEmpty else {
            throw Complaint(
                "configure \(name) takes hosts by --host alone",
                hint: "see 'mojoauth-credential configure \(name) --help'", exitCode: .usage)
        }
        let report = try Tool.configure(chosen(values.hosts, Desk().configuration), values)
        StandardStream.writeError(DisplayText.cleanLines(report.done))
        try print(report.lines.map { DisplayText.clean($0, limit: 8000) + "\n" }.joined())
        if let refusal = report.refusal { throw refusal }
        return .success
    }

    /// A tool is told of no host that would get no token.
    private static func chosen(_ words: [String], _ configuration: Configuration) throws(Complaint) -> [HostEntry] {
        guard !words.isEmpty else {
            guard !configuration.hosts.isEmpty else {
                throw Complaint(
                    "the configuration names no host, so nobody would get a token",
                    hint: "run 'mojoauth-credential configure host https://HOST' first", exitCode: .configuration)
            }
            return configuration.hosts
        }
        var entries: [HostEntry] = []
        for word in words {
            guard let url = WebURL(word), url.userInfo == nil else {
                throw Complaint(
                    "--host names one URL such as https://\(name).example.com",
                    hint: "see 'mojoauth-credential configure \(name) --help'", exitCode: .usage)
            }
            let entry: HostEntry?
            do throws(ConfigurationError) {
                entry = try configuration.hostEntry(for: url.origin)
            } catch {
                throw Complaint(error)
            }
            guard let entry else { throw HostToken.noEntry(url.origin) }
            if !entries.contains(entry) { entries.append(entry) }
        }
        return entries
    }
}
