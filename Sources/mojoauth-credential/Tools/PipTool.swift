import Configuration
import Program
import WebAddress

/// pip: its `keyring-provider`, and the program that it then runs.
enum PipTool: ConfigurableTool {
    static let name = "pip"
    static let summary = "Let pip take the token for a package index"
    static let description = """
        Sets keyring-provider in the person's pip.conf, and makes a link named "keyring" to this helper in a folder of
        its own, ~/.local/share/mojoauth-credential/keyring. The line that puts this folder into PATH is printed: it
        is the person's to add. pip asks for an index whose URL names a user, https://oauth2@HOST/. Needs pip 23.1.

        Where pip.conf sets it itself it is left alone and the lines are printed.

        Example:
          mojoauth-credential configure pip
        """
    static let undoDescription = """
        Takes the lines out of pip.conf again, and the link away unless uv needs it.

        Example:
          mojoauth-credential unconfigure pip
        """

    private static func setting() throws(Complaint) -> ToolSetting {
        ToolSetting(
            file: try .inConfiguration("pip/pip.conf"), language: .ini, undo: undo, table: "global",
            lines: ["keyring-provider = subprocess"], rivals: ["keyring-provider", "keyring_provider"])
    }

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
        return lines + (try KeyringCommand.remove(unless: UVTool.isConfigured))
    }

    static func mention(of origin: Origin) -> String? {
        isConfigured ? "pip asks this helper for every index" : nil
    }

    static var findings: [Finding] { isConfigured ? KeyringCommand.findings(name) : [] }
}
