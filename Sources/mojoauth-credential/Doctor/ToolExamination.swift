import Glibc
import Program

/// The other tools that ask this helper: can each start what it was told to start?
enum ToolExamination: Examination {
    static let title = "other tools"

    static func findings(on patient: Patient) -> [Finding] {
        ConfigurableTools.all.flatMap { $0.findings }
    }
}

extension Finding {
    /// A helper that git or docker looks up in PATH.
    static func helper(_ program: String, of tool: String) -> Finding {
        guard let path = ChildProcess.path(of: program) else {
            return broken(
                program, "is not in PATH, so \(tool) cannot start it",
                hint: "add the folder of mojoauth-credential to PATH")
        }
        return .ok(program, path)
    }

    /// A tool that looks a program up in PATH.
    static func program(_ program: String, of tool: String) -> Finding {
        guard let path = ChildProcess.path(of: program) else {
            return broken(tool, "\(program) is not in PATH", hint: "add the folder of mojoauth-credential to PATH")
        }
        return .ok(tool, "asks \(path)")
    }

    /// A tool that follows a link of ours.
    static func link(_ link: HelperLink, of tool: String) -> Finding {
        guard link.target != nil else { return broken(tool, "\(link.path) is missing", hint: again(tool)) }
        guard link.works else { return broken(tool, "\(link.path) leads to nothing", hint: again(tool)) }
        return .ok(tool, "asks \(link.path)")
    }

    /// A tool that was told a whole path.
    static func path(_ path: String, of tool: String) -> Finding {
        guard access(path, X_OK) == 0 else {
            return broken(tool, "\(path) cannot be started", hint: again(tool))
        }
        return .ok(tool, "asks \(path)")
    }

    private static func again(_ tool: String) -> String { "run 'mojoauth-credential configure \(tool)' again" }

    private static func broken(_ tool: String, _ text: String, hint: String) -> Finding {
        .bad(tool, Complaint(text, hint: hint, exitCode: .configuration))
    }
}
