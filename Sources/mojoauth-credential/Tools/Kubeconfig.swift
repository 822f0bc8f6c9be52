import CGLib
import JSON
import Program
import WebAddress

/// A kubeconfig, read and written by kubectl: YAML is not parsed here.
struct Kubeconfig {
    /// The name of the user that is ours.
    static let user = "mojoauth"

    let file: PersonalFile

    var path: String { file.path }

    /// The file of this person: the first of `KUBECONFIG`, else `~/.kube/config`.
    static func current() throws(Complaint) -> Kubeconfig {
        guard let first = ProcessEnvironment["KUBECONFIG"]?.split(separator: ":").first else {
            return Kubeconfig(file: try .inHome(".kube/config"))
        }
        return Kubeconfig(file: PersonalFile(path: String(first)))
    }

    static var hasKubectl: Bool { ChildProcess.path(of: "kubectl") != nil }

    /// Does the text name the helper's program?
    static func mentions(_ word: String, _ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(word)
    }

    struct Context {
        var name: String
        var user: String
        /// Nil when its cluster has none, or one that is no origin.
        var server: Origin?

        /// For a shell.
        var quotedName: String {
            guard let quoted = g_shell_quote(name) else { return name }
            defer { g_free(quoted) }
            return String(cString: quoted)
        }
    }

    /// Where a user's credentials come from.
    enum Source: Equatable {
        case helper(String)
        case other
    }

    /// What the file says, as kubectl tells it.
    struct Contents {
        fileprivate let object: JSONObject

        var contexts: [Context] {
            Self.entries(object, "contexts", "context").map { name, context in
                let cluster = context["cluster"]?.string
                let server = Self.entries(object, "clusters", "cluster").first { $0.name == cluster }?.value["server"]
                return Context(
                    name: name, user: context["user"]?.string ?? "",
                    server: server?.string.flatMap { WebURL($0)?.origin })
            }
        }

        /// Nil when there is no such user.
        func command(of user: String) -> Source? {
            guard let found = Self.entries(object, "users", "user").first(where: { $0.name == user })?.value else {
                return nil
            }
            return found["exec"]?.object?["command"]?.string.map { .helper($0) } ?? .other
        }

        private static func entries(
            _ object: JSONObject, _ list: String, _ member: String
        ) -> [(name: String, value: JSONObject)] {
            (object[list]?.array ?? []).compactMap { entry in
                guard let name = entry.object?["name"]?.string else { return nil }
                return (name, entry.object?[member]?.object ?? JSONObject())
            }
        }
    }

    func contents() throws(Complaint) -> Contents {
        let answer = try run(["config", "view", "--raw", "--output=json"])
        guard answer.status == 0, let object = (try? JSONValue(parsing: answer.output))?.object else {
            throw Complaint(
                "kubectl cannot read \(path)", hint: "mend the file; it was not changed", exitCode: .configuration)
        }
        return Contents(object: object)
    }

    /// The same, byte for byte as kubectl would write it.
    func asKubectlWritesIt() throws(Complaint) -> [UInt8] {
        try run(["config", "view", "--raw"]).output
    }

    /// Runs `kubectl config` on this file.
    ///
    /// - Returns: whether it did what it was told.
    func kubectl(_ arguments: [String]) throws(Complaint) -> Bool {
        try run(["config"] + arguments).status == 0
    }

    private func run(_ arguments: [String]) throws(Complaint) -> (status: Int32, output: [UInt8]) {
        do throws(ChildProcess.SpawnFailure) {
            return try ChildProcess(named: "kubectl", arguments: ["--kubeconfig=\(path)"] + arguments).capture()
        } catch {
            throw Complaint(error.description, hint: "install kubectl", exitCode: .configuration)
        }
    }
}
