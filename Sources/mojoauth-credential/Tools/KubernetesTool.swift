import CGLib
import Configuration
import JSON
import Options
import Program
import WebAddress

/// kubectl and all that reads a kubeconfig: a user whose credentials come from this helper.
enum KubernetesTool: ConfigurableTool {
    static let name = "kubernetes"
    static let summary = "Let kubectl take the token for a cluster"
    static let description = """
        Adds a user named mojoauth to the kubeconfig (the first file of KUBECONFIG, else ~/.kube/config), by kubectl
        itself. The commands that let your contexts use it are printed: which one shall is yours to say. The helper
        answers for clusters whose server is a host that the configuration names. Needs kubectl 1.30.

        kubectl writes the file anew, without comments and in its own order. Where this would change more than that
        one user the file is left alone and the lines are printed; --rewrite lets kubectl do it.

        Examples:
          mojoauth-credential configure kubernetes
          mojoauth-credential configure kubernetes --host https://k8s.example.com:6443
        """
    static let undoDescription = """
        Removes the user mojoauth from the kubeconfig, by kubectl itself, and says which contexts still name it.

        Example:
          mojoauth-credential unconfigure kubernetes
        """

    static var options: [OptionRow<ToolOptions>] {
        [
            OptionRow("rewrite", help: "kubectl may write the file anew, in its own form") { values, _ in
                values.mayRewrite = true
            }
        ]
    }

    private static let helper = "mojoauth-helper"

    /// What kubectl shall write, and what a person adds below `users:`.
    private static let lines = [
        "- name: \(Kubeconfig.user)", "  user:", "    exec:", "      apiVersion: client.authentication.k8s.io/v1",
        "      args:", "      - kubernetes", "      command: \(helper)", "      interactiveMode: IfAvailable",
        "      provideClusterInfo: true",
    ]

    private static let setting = [
        "set-credentials", Kubeconfig.user, "--exec-api-version=client.authentication.k8s.io/v1",
        "--exec-command=\(helper)", "--exec-arg=kubernetes", "--exec-interactive-mode=IfAvailable",
        "--exec-provide-cluster-info=true",
    ]

    static func configure(_ hosts: [HostEntry], _ options: ToolOptions) throws(Complaint) -> ToolReport {
        let file = try Kubeconfig.current()
        // Looked at before kubectl is: somebody else's file is nobody's to change.
        let bytes = try file.file.read() ?? []
        guard Kubeconfig.hasKubectl else {
            return refused(file, "there is no kubectl in PATH")
        }
        let contents = try file.contents()
        switch contents.command(of: Kubeconfig.user) {
        case .helper(helper):
            var report = ToolReport(done: "\(file.path) has the user \(Kubeconfig.user) already.\n")
            tell(contents, hosts, &report)
            return report
        case .none: break
        default:
            throw Complaint(
                "\(file.path) has a user \(Kubeconfig.user) that is not ours; it was not changed",
                hint: "rename that user, or remove it by 'kubectl config delete-user \(Kubeconfig.user)'",
                exitCode: .configuration)
        }
        if !bytes.isEmpty, !options.mayRewrite, try file.asKubectlWritesIt() != bytes {
            return refused(file, "kubectl would write all of it anew, without comments; --rewrite lets it")
        }
        guard try file.kubectl(setting) else { return refused(file, "kubectl did not set the user") }
        var report = ToolReport(done: "Set the user \(Kubeconfig.user) in \(file.path) by kubectl.\n")
        tell(contents, hosts, &report)
        return report
    }

    private static func refused(_ file: Kubeconfig, _ reason: String) -> ToolReport {
        ToolReport(
            lines: lines,
            refusal: Complaint(
                "\(file.path) was not changed: \(reason)", hint: "put the lines above below users: there",
                exitCode: .configuration))
    }

    /// Which contexts are at a host of ours and go by another user.
    private static func tell(_ contents: Kubeconfig.Contents, _ hosts: [HostEntry], _ report: inout ToolReport) {
        let origins = hosts.map(\.origin)
        let contexts = contents.contexts.filter { context in
            context.user != Kubeconfig.user && context.server.map { origins.contains($0) } ?? false
        }
        if contexts.isEmpty {
            report.done +=
                contents.contexts.contains { $0.user == Kubeconfig.user }
                ? "" : "No context is at a host that the configuration names.\n"
            return
        }
        report.done += "To let a context use it:\n"
        report.lines = contexts.map { "kubectl config set-context \($0.quotedName) --user=\(Kubeconfig.user)" }
    }

    static func unconfigure() throws(Complaint) -> String {
        let file = try Kubeconfig.current()
        guard let bytes = try file.file.read(), Kubeconfig.mentions(helper, bytes) else { return "" }
        guard Kubeconfig.hasKubectl else {
            throw Complaint(
                "there is no kubectl in PATH, so \(file.path) was not changed",
                hint: "remove the user \(Kubeconfig.user) from it", exitCode: .configuration)
        }
        let contents = try file.contents()
        guard case .helper(helper) = contents.command(of: Kubeconfig.user) else { return "" }
        guard try file.kubectl(["delete-user", Kubeconfig.user]) else {
            throw Complaint(
                "kubectl did not remove the user \(Kubeconfig.user) from \(file.path)",
                hint: "see what kubectl says above", exitCode: .configuration)
        }
        let left = contents.contexts.filter { $0.user == Kubeconfig.user }.map(\.name)
        return "Removed the user \(Kubeconfig.user) from \(file.path) by kubectl.\n"
            + (left.isEmpty ? "" : "These contexts still name it: \(left.joined(separator: ", "))\n")
    }

    private static var isConfigured: Bool {
        guard let file = try? Kubeconfig.current(), let bytes = (try? file.file.read()) ?? nil else { return false }
        return Kubeconfig.mentions(helper, bytes)
    }

    static func mention(of origin: Origin) -> String? {
        isConfigured ? "the kubeconfig has a user of this helper's" : nil
    }

    static var findings: [Finding] { isConfigured ? [.program(helper, of: name)] : [] }
}
