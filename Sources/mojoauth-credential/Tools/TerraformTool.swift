import Configuration
import Program
import WebAddress

/// Terraform and OpenTofu: the one credentials helper that their configuration may name, and its link.
enum TerraformTool: ConfigurableTool {
    static let name = "terraform"
    static let summary = "Let terraform take the token for a host of modules or state"
    static let description = """
        Adds a credentials_helper block to ~/.terraformrc (or the file that TF_CLI_CONFIG_FILE names), and a link to
        this helper in ~/.terraform.d/plugins, where terraform looks for it. terraform asks for every host; the helper
        answers for those that the configuration names. OpenTofu reads the same file, unless there is a ~/.tofurc.

        Where the file has a credentials_helper of its own it is left alone and the lines are printed.

        Example:
          mojoauth-credential configure terraform
        """
    static let undoDescription = """
        Takes the block out of ~/.terraformrc again, and the link away.

        Example:
          mojoauth-credential unconfigure terraform
        """

    private static func setting() throws(Complaint) -> ToolSetting {
        return ToolSetting(
            file: try .named(by: "TF_CLI_CONFIG_FILE", orInHome: ".terraformrc"), language: .hcl, undo: undo,
            lines: ["credentials_helper \"mojoauth\" {", "}"], rivals: ["credentials_helper"])
    }

    private static func link() throws(Complaint) -> HelperLink {
        HelperLink(path: try PersonalFile.inHome(".terraform.d/plugins/terraform-credentials-mojoauth").path)
    }

    static func configure(_ hosts: [HostEntry], _ options: ToolOptions) throws(Complaint) -> ToolReport {
        let setting = try setting()
        let link = try link()
        // terraform does without a helper that is not there, and without a word: the link comes first.
        let isNew = try link.make()
        var report = ToolReport(try setting.write(), setting)
        if isNew { report.done = "Linked \(link.path) to \(link.target ?? "?").\n" + report.done }
        return report
    }

    static func unconfigure() throws(Complaint) -> String {
        let setting = try setting()
        let link = try link()
        var lines = try setting.remove() ? "Removed the block for this helper from \(setting.file.path).\n" : ""
        if try link.remove() { lines += "Removed \(link.path).\n" }
        return lines
    }

    static func mention(of origin: Origin) -> String? {
        (try? setting())?.found == nil ? nil : "terraform asks this helper for every host"
    }

    static var findings: [Finding] {
        guard let setting = try? setting(), setting.found != nil, let link = try? link() else { return [] }
        return [.link(link, of: name)]
    }
}
