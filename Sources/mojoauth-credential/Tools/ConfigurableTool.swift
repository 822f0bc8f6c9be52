import Configuration
import Options
import Program
import WebAddress

/// A tool that takes the login's token by a setting of its own: what `configure` and `unconfigure` do about it.
protocol ConfigurableTool {
    /// The word behind `configure`.
    static var name: String { get }
    static var summary: String { get }
    /// What is written where, for the help of `configure`, and an example.
    static var description: String { get }
    /// The same for `unconfigure`.
    static var undoDescription: String { get }
    /// Options beside `--host`.
    static var options: [OptionRow<ToolOptions>] { get }

    /// - Parameter hosts: those that were chosen; one at least.
    static func configure(_ hosts: [HostEntry], _ options: ToolOptions) throws(Complaint) -> ToolReport

    /// - Returns: the lines that tell what was done; none when there was nothing to undo.
    static func unconfigure() throws(Complaint) -> String

    /// What makes the tool ask this helper for an origin; nil when nothing does. Reads files at most.
    static func mention(of origin: Origin) -> String?

    /// What the doctor says of a tool that asks this helper; nothing for one that does not.
    static var findings: [Finding] { get }
}

extension ConfigurableTool {
    static var options: [OptionRow<ToolOptions>] { [] }

    static var undo: String { "mojoauth-credential unconfigure \(name)" }
}

/// All of them, in the order of the help.
enum ConfigurableTools {
    static var all: [any ConfigurableTool.Type] {
        [
            KubernetesTool.self, CargoTool.self, GoTool.self, TerraformTool.self, PipTool.self, UVTool.self,
            BazelTool.self,
        ]
    }

    /// Which of them asks this helper for an origin; nil when none does.
    static func mention(of origin: Origin) -> String? {
        for tool in all {
            if let mention = tool.mention(of: origin) { return mention }
        }
        return nil
    }
}

struct ToolOptions {
    /// As they were typed; none stands for every host of the configuration.
    var hosts: [String] = []
    /// kubectl may write the file in its own form.
    var mayRewrite = false
}

/// What `configure` did for a tool.
struct ToolReport {
    /// What was done, for standard error.
    var done = ""
    /// Lines that are the person's to add or to type, for standard output.
    var lines: [String] = []
    /// Why the tool is not set up; nil when it is.
    var refusal: Complaint?

    /// For a setting in a file.
    init(_ change: ToolSetting.Change, _ setting: ToolSetting) {
        switch change {
        case .none: done = "\(setting.file.path) has these lines already; nothing was changed.\n"
        case .written:
            done = "Wrote to \(setting.file.path):\n" + setting.shownLines.map { "  \($0)\n" }.joined()
        case .refused(let reason):
            lines = setting.shownLines
            refusal = Complaint(
                "\(setting.file.path) was not changed: \(reason)", hint: "put the lines above into it yourself",
                exitCode: .configuration)
        }
    }

    init(done: String = "", lines: [String] = [], refusal: Complaint? = nil) {
        self.done = done
        self.lines = lines
        self.refusal = refusal
    }
}
