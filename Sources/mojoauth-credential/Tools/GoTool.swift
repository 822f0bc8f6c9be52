import Configuration
import Glibc
import Program
import WebAddress

/// Go: `GOAUTH`, which go itself keeps.
enum GoTool: ConfigurableTool {
    static let name = "go"
    static let summary = "Let go take the token for modules"
    static let description = """
        Puts this helper in front of GOAUTH by 'go env -w'; what stands there already, or netrc, comes behind it. go
        asks for every host; the helper answers for those that the configuration names. Needs Go 1.24.

        Without go here the command is printed.

        Example:
          mojoauth-credential configure go
        """
    static let undoDescription = """
        Takes this helper out of GOAUTH again, by go itself.

        Example:
          mojoauth-credential unconfigure go
        """

    private static let command = "mojoauth-helper goauth"
    /// GOAUTH where nobody has set it.
    private static let standard = "netrc"

    static func configure(_ hosts: [HostEntry], _ options: ToolOptions) throws(Complaint) -> ToolReport {
        guard let value = try value() else {
            return ToolReport(
                lines: ["go env -w GOAUTH='\(command);\(standard)'"],
                refusal: Complaint(
                    "there is no go in PATH, so GOAUTH was not set", hint: "type the line above where go is",
                    exitCode: .configuration))
        }
        guard !value.isEmpty else {
            throw Complaint("this go knows no GOAUTH", hint: "install Go 1.24 or newer", exitCode: .configuration)
        }
        guard !commands(value).contains(command) else {
            return ToolReport(done: "GOAUTH has \"\(command)\" already; nothing was changed.\n")
        }
        guard value != "off" else {
            throw Complaint(
                "GOAUTH is off, which stands for itself; it was not changed", hint: "run 'go env -u GOAUTH' first",
                exitCode: .configuration)
        }
        let new = "\(command);\(value)"
        try run(["env", "-w", "GOAUTH=\(new)"])
        var report = ToolReport(done: "Set GOAUTH to \"\(new)\" by go env -w. It was \"\(value)\".\n")
        if ProcessEnvironment["GOAUTH"] != nil {
            report.done += "GOAUTH in the environment counts more than this.\n"
        }
        return report
    }

    static func unconfigure() throws(Complaint) -> String {
        guard let value = try value(), commands(value).contains(command) else { return "" }
        let prefix = "\(command);"
        let rest =
            value.hasPrefix(prefix)
            ? String(value.dropFirst(prefix.count))
            : commands(value).filter { $0 != command }.joined(separator: ";")
        guard !rest.isEmpty, rest != standard else {
            try run(["env", "-u", "GOAUTH"])
            return "Took GOAUTH back by go env -u.\n"
        }
        try run(["env", "-w", "GOAUTH=\(rest)"])
        return "Set GOAUTH to \"\(rest)\" by go env -w.\n"
    }

    private static func commands(_ value: String) -> [String] {
        value.split(separator: ";").map { String($0.trimming { $0 == " " }) }
    }

    /// What go's own file says, or else its default; nil without go, empty where go knows no such variable.
    private static func value() throws(Complaint) -> String? {
        guard ChildProcess.path(of: "go") != nil else { return nil }
        return try run(["env", "GOAUTH"])
    }

    /// Runs go without a GOAUTH of the environment.
    @discardableResult
    private static func run(_ arguments: [String]) throws(Complaint) -> String {
        let result: (status: Int32, output: [UInt8])
        do throws(ChildProcess.SpawnFailure) {
            result = try ChildProcess(named: "env", arguments: ["-u", "GOAUTH", "go"] + arguments).capture()
        } catch {
            throw Complaint(error.description, exitCode: .configuration)
        }
        guard result.status == 0 else {
            throw Complaint(
                "go \(arguments.prefix(2).joined(separator: " ")) failed with exit code \(result.status)",
                hint: "see what go says above", exitCode: .configuration)
        }
        return String(decoding: result.output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// go's own file, read without go: one `NAME=value` a line.
    private static var isConfigured: Bool {
        let named = ProcessEnvironment["GOENV"].map { PersonalFile(path: $0) }
        guard let file = named ?? (try? .inConfiguration("go/env")), let bytes = (try? file.read()) ?? nil else {
            return false
        }
        return SettingBlock.rows(of: bytes).contains { row in
            row.text.hasPrefix("GOAUTH=") && commands(String(row.text.dropFirst("GOAUTH=".count))).contains(command)
        }
    }

    static func mention(of origin: Origin) -> String? {
        isConfigured ? "go asks this helper for every host" : nil
    }

    static var findings: [Finding] { isConfigured ? [.program("mojoauth-helper", of: name)] : [] }
}

extension Substring {
    fileprivate func trimming(_ isBlank: (Character) -> Bool) -> Substring {
        var text = drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
