import Configuration
import Program
import WebAddress

/// A tool that runs the program `keyring` once a line of its own file says so: pip and uv, which share the link.
protocol KeyringUser: ConfigurableTool {
    /// The line.
    static func setting() throws(Complaint) -> ToolSetting
    /// Who keeps the link when this one goes.
    static var other: any KeyringUser.Type { get }
}

extension KeyringUser {
    static var isConfigured: Bool { (try? setting())?.found != nil }

    static func configure(_ hosts: [HostEntry], _ options: ToolOptions) throws(Complaint) -> ToolReport {
        let setting = try setting()
        let linked = try KeyringCommand.make()
        var report = ToolReport(try setting.write(), setting)
        report.done = linked + report.done
        try KeyringCommand.finish(&report, name, hosts)
        return report
    }

    static func unconfigure() throws(Complaint) -> String {
        let setting = try setting()
        let lines = try setting.remove() ? "Removed the lines for this helper from \(setting.file.path).\n" : ""
        return lines + (try KeyringCommand.remove(unless: other.isConfigured))
    }

    static func mention(of origin: Origin) -> String? {
        isConfigured ? "\(name) asks this helper for every index" : nil
    }

    static var findings: [Finding] { isConfigured ? KeyringCommand.findings(name) : [] }
}
