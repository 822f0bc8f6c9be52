import Configuration
import Program
import WebAddress

/// uv: its `keyring-provider`, and the program that it then runs, which is pip's.
enum UVTool: ConfigurableTool {
    static let name = "uv"
    static let summary = "Let uv take the token for a package index"
    static let description = """
        Sets keyring-provider at the head of ~/.config/uv/uv.toml, and makes a link named "keyring" to this helper in
        a folder of its own, ~/.local/share/mojoauth-credential/keyring. The line that puts this folder into PATH is
        printed: it is the person's to add. uv asks for an index whose URL names a user, https://oauth2@HOST/.

        Where uv.toml sets it itself it is left alone and the lines are printed.

        Example:
          mojoauth-credential configure uv
        """
    static let undoDescription = """
        Takes the lines out of uv.toml again, and the link away unless pip needs it.

        Example:
          mojoauth-credential unconfigure uv
        """

    private static func setting() throws(Complaint) -> ToolSetting {
        ToolSetting(
            // A key that stands in no table stands before all of them.
            file: try .inConfiguration("uv/uv.toml"), language: .toml, undo: undo, place: .begin,
            lines: ["keyring-provider = \"subprocess\""], rivals: ["keyring-provider"])
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
        return lines + (try KeyringCommand.remove(unless: PipTool.isConfigured))
    }

    static func mention(of origin: Origin) -> String? {
        isConfigured ? "uv asks this helper for every index" : nil
    }

    static var findings: [Finding] { isConfigured ? KeyringCommand.findings(name) : [] }
}
