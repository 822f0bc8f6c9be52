import CGLib
import Configuration
import Glibc
import Program
import WebAddress

/// The program `keyring` that pip and uv run: a link of ours in a folder of its own, so that nobody gets it by chance
/// who looks for the Python program of that name.
enum KeyringCommand {
    private static func folder() throws(Complaint) -> String {
        if let folder = ProcessEnvironment["XDG_DATA_HOME"], folder.hasPrefix("/") {
            return "\(folder)/mojoauth-credential/keyring"
        }
        return try PersonalFile.inHome(".local/share/mojoauth-credential/keyring").path
    }

    static func link() throws(Complaint) -> HelperLink { HelperLink(path: "\(try folder())/keyring") }

    /// - Returns: the lines that tell what was done.
    static func make() throws(Complaint) -> String {
        let link = try link()
        return try link.make() ? "Linked \(link.path) to \(link.target ?? "?").\n" : ""
    }

    /// - Parameter other: does the other of the two tools still ask for it?
    static func remove(unless other: Bool) throws(Complaint) -> String {
        let link = try link()
        guard !other, try link.remove() else { return "" }
        let folder = try folder()
        rmdir(folder)
        return "Removed \(link.path): its folder may go out of PATH.\n"
    }

    /// What is left to do for the person, behind what was done.
    ///
    /// - Parameter tool: who looks for it.
    static func finish(_ report: inout ToolReport, _ tool: String, _ hosts: [HostEntry]) throws(Complaint) {
        guard report.refusal == nil else { return }
        let names = hosts.map { "\($0.origin.scheme)://\($0.username)@\($0.origin.authority)/" }
        report.done += "\(tool) asks for an index whose URL names the user: \(names.joined(separator: ", "))\n"
        let found = program
        guard found != (try link().path) else { return }
        report.done += "For \(tool) to find it, add this line to ~/.profile"
        report.done += found.map { "; it then stands before \($0):\n" } ?? ":\n"
        report.lines = ["export PATH=\(quoted(try folder())):\"$PATH\""]
    }

    /// The `keyring` that PATH has now.
    private static var program: String? { ChildProcess.path(of: "keyring") }

    private static func quoted(_ text: String) -> String {
        guard let quoted = g_shell_quote(text) else { return text }
        defer { g_free(quoted) }
        return String(cString: quoted)
    }

    /// For a tool that asks for it.
    static func findings(_ tool: String) -> [Finding] {
        guard let link = try? link() else { return [] }
        guard link.works, program != link.path else { return [.link(link, of: tool)] }
        return [
            .bad(
                tool,
                Complaint(
                    "runs \(program ?? "no program named keyring"), and not \(link.path)",
                    hint: "put its folder in front of PATH, or run 'mojoauth-credential unconfigure \(tool)'",
                    exitCode: .configuration))
        ]
    }
}
