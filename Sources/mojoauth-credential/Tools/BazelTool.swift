import Configuration
import Program
import WebAddress

/// Bazel: a line for each host in the person's .bazelrc.
enum BazelTool: ConfigurableTool {
    static let name = "bazel"
    static let summary = "Let bazel take the token for a host"
    static let description = """
        Adds a line "common --credential_helper=HOST=PATH" to ~/.bazelrc for every host that the configuration names,
        or for those of --host and the ones before. Bazel looks at the host's name alone; the helper also at the port.
        Needs Bazel 7.

        Where .bazelrc names a helper for one of these hosts itself it is left alone and the lines are printed.

        Examples:
          mojoauth-credential configure bazel
          mojoauth-credential configure bazel --host https://cache.example.com
        """
    static let undoDescription = """
        Takes the lines that 'configure bazel' wrote out of ~/.bazelrc.

        Example:
          mojoauth-credential unconfigure bazel
        """

    static let program = "bazel-credential-mojoauth"

    /// - Parameter names: of hosts, without port.
    private static func setting(_ lines: [String], _ names: [String]) throws(Complaint) -> ToolSetting {
        ToolSetting(
            file: try .inHome(".bazelrc"), language: .bazelrc, undo: undo, lines: lines,
            rivals: names.map { "credential_helper=\($0)=" })
    }

    private static let option = "common --credential_helper="

    static func configure(_ hosts: [HostEntry], _ options: ToolOptions) throws(Complaint) -> ToolReport {
        // Bazel has no form for an address with colons.
        var names = hosts.map(\.origin.host).filter { !$0.isIPv6 }.map(\.name)
        guard !names.isEmpty else {
            throw Complaint("bazel takes no IPv6 address for a host", hint: "use a name", exitCode: .configuration)
        }
        if !options.hosts.isEmpty {
            names += try (setting([], []).found ?? []).compactMap(host)
        }
        let path = try helper()
        let lines = Set(names).sorted().map { "\(option)\($0)=\(path)" }
        let setting = try setting(lines, Set(names).sorted())
        return ToolReport(try setting.write(), setting)
    }

    /// The host of a line of ours.
    private static func host(_ line: String) -> String? {
        guard line.hasPrefix(option) else { return nil }
        return String(line.dropFirst(option.count).prefix { $0 != "=" })
    }

    /// The whole path: Bazel's server need not have our PATH.
    private static func helper() throws(Complaint) -> String {
        let path = ChildProcess.path(of: program) ?? "\(ChildProcess.ownDirectory() ?? "?")/\(program)"
        // .bazelrc is cut into words as a shell does it.
        guard path.utf8.allSatisfy({ $0 > 0x20 && !"\"'\\#".utf8.contains($0) }) else {
            throw Complaint(
                "the path \(path) has characters that .bazelrc reads in another way",
                hint: "install the programs into another folder", exitCode: .configuration)
        }
        return path
    }

    static func unconfigure() throws(Complaint) -> String {
        let setting = try setting([], [])
        return try setting.remove() ? "Removed the lines for this helper from \(setting.file.path).\n" : ""
    }

    static func mention(of origin: Origin) -> String? {
        let lines = (try? setting([], []))?.found ?? []
        return lines.contains { host($0) == origin.host.name } ? "bazel's .bazelrc names this helper" : nil
    }

    static var findings: [Finding] {
        let lines = (try? setting([], []))?.found ?? []
        guard let path = lines.first?.split(separator: "=").last.map(String.init) else { return [] }
        return [.path(path, of: name)]
    }
}
