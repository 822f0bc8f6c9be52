import JSON
import Program

/// Looks at everything that a login and its use depend on, and says what is not as it should be.
struct Doctor {
    private static var examinations: [any Examination.Type] {
        [
            ProgramExamination.self, KeyringExamination.self, EnvironmentExamination.self,
            ConfigurationExamination.self, BrowserExamination.self, IssuerExamination.self, GitExamination.self,
            DockerExamination.self, ToolExamination.self, HostExamination.self,
        ]
    }

    private let groups: [(title: String, findings: [Finding])]

    init(_ patient: Patient) {
        groups = Self.examinations.map { ($0.title, $0.findings(on: patient)) }.filter { !$0.1.isEmpty }
    }

    private var findings: [Finding] { groups.flatMap(\.findings) }

    /// That of the first bad line; success when there is none.
    var exitCode: ExitCode { findings.first { $0.verdict == .bad }?.exitCode ?? .success }

    func text(_ style: TerminalStyle) -> String {
        let parts = groups.map { group in
            style.paint(group.title, .bold) + "\n" + group.findings.map { $0.lines(style) }.joined()
        }
        return parts.joined() + "\(summary)\n"
    }

    private var summary: String {
        let bad = findings.count { $0.verdict == .bad }
        let warnings = findings.count { $0.verdict == .warning }
        let noted = warnings == 0 ? "" : ", \(warnings) warning\(warnings == 1 ? "" : "s")"
        guard bad == 0 else { return "\(bad) bad" + noted }
        return warnings == 0 ? "all is well" : "nothing is bad" + noted
    }

    var json: JSONValue {
        let lines = groups.flatMap { group in group.findings.map { $0.json(group: group.title) } }
        return ["ok": .bool(exitCode == .success), "findings": .array(lines)]
    }
}
