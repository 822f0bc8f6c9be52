import CGLib
import Configuration
import Glibc
import Program
import WebAddress

/// cargo: a credential provider for all registries, which answers for those that our configuration names.
enum CargoTool: ConfigurableTool {
    static let name = "cargo"
    static let summary = "Let cargo take the token for a registry"
    static let description = """
        Adds this helper to the credential providers of config.toml in CARGO_HOME (~/.cargo), ahead of cargo's own
        file of tokens. It answers for registries whose index is at a host that the configuration names; for all
        others cargo asks its own file. Needs cargo 1.74.

        Where config.toml sets them itself, or is written in a way that only cargo reads safely, it is left alone and
        the lines are printed.

        Example:
          mojoauth-credential configure cargo
        """
    static let undoDescription = """
        Takes the lines that 'configure cargo' wrote out of cargo's config.toml.

        Example:
          mojoauth-credential unconfigure cargo
        """

    static let program = "cargo-credential-mojoauth"

    private static func setting() throws(Complaint) -> ToolSetting {
        let file = try folder("config.toml")
        return ToolSetting(
            file: file, language: .toml, undo: undo, table: "registry",
            // Later ones are asked first (Cargo book, registry authentication).
            lines: ["global-credential-providers = [\"cargo:token\", \"\(program)\"]"],
            rivals: ["global-credential-providers"])
    }

    private static func folder(_ name: String) throws(Complaint) -> PersonalFile {
        if let folder = ProcessEnvironment["CARGO_HOME"] { return PersonalFile(path: "\(folder)/\(name)") }
        return try .inHome(".cargo/\(name)")
    }

    static func configure(_ hosts: [HostEntry], _ options: ToolOptions) throws(Complaint) -> ToolReport {
        let setting = try setting()
        // cargo reads the file of this older name, and then not the newer one.
        let older = try folder("config")
        if access(older.path, F_OK) == 0 {
            return ToolReport(.refused("cargo reads \(older.path) in its place"), setting)
        }
        return ToolReport(try setting.write(), setting)
    }

    static func unconfigure() throws(Complaint) -> String {
        let setting = try setting()
        return try setting.remove() ? "Removed the lines for this helper from \(setting.file.path).\n" : ""
    }

    static func mention(of origin: Origin) -> String? {
        (try? setting())?.found == nil ? nil : "cargo asks this helper for every registry"
    }

    static var findings: [Finding] {
        (try? setting())?.found == nil ? [] : [.program(program, of: name)]
    }
}
