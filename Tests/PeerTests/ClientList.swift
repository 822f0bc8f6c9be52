import Foundation
import Program
import Synchronization
import TestSupport

/// The clients of a run, by name and version, and whether every test that ran one of them passed.
///
/// It is also kept in `.build/clients`, a line for each client and suite, for Tests/clients to compare with README.
final class ClientList: Sendable {
    static let shared = ClientList()

    private struct Line: Hashable {
        var client: String
        var suite: String
    }

    private let verdicts = Mutex<[Line: Bool]>([:])
    private let names = Mutex<[String: String]>([:])

    func add(_ programs: Set<String>, _ suite: String, hasFailed: Bool) {
        let clients = programs.compactMap(client)
        let text = verdicts.withLock { verdicts in
            for client in clients {
                let line = Line(client: client, suite: suite)
                verdicts[line] = (verdicts[line] ?? true) && !hasFailed
            }
            return verdicts.map { "\($0.key.client)\t\($0.key.suite)\t\(Self.word($0.value))\n" }.sorted().joined()
        }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        try? text.write(to: root.appending(path: ".build/clients"), atomically: true, encoding: .utf8)
    }

    /// Prints what a suite ran.
    func finish(_ suite: String) {
        let lines = verdicts.withLock { verdicts in
            verdicts.filter { $0.key.suite == suite }.map { "| \($0.key.client) | \(suite) | \(Self.word($0.value)) |" }
        }
        if !lines.isEmpty { print(lines.sorted().joined(separator: "\n")) }
    }

    private static func word(_ hasPassed: Bool) -> String { hasPassed ? "passed" : "FAILED" }

    // MARK: Names

    /// `skopeo 1.9`, asked of the program itself; nil for what is no client.
    private func client(_ path: String) -> String? {
        let known = names.withLock { $0[path] }
        guard let name = known ?? Self.name(path) else { return nil }
        names.withLock { $0[path] = name }
        return name
    }

    private static func name(_ path: String) -> String? {
        let program = String(path.split(separator: "/").last ?? "")
        switch program {
        case "git", "docker", "skopeo", "podman", "buildah": return version(of: path).map { "\(program) \($0)" }
        case "cargo", "pip", "uv": return version(of: path).map { "\(program) \($0)" }
        case "go", "terraform": return version(of: path, "version").map { "\(program) \($0)" }
        case "kubectl": return version(of: path, "version", "--client").map { "\(program) \($0)" }
        case "docker-credential-secretservice": return version(of: path, "version").map { "\(program) \($0)" }
        case "git-credential-libsecret":
            // It says no version: that of the git whose source it is built from.
            let isCurrent = path.contains("/source/contrib/")
            let git = isCurrent ? (try? GitClient.currentFolder()).map { "\($0)/bin/git" } : try? Tool.git.path()
            return git.flatMap { version(of: $0) }.map { "\(program) \($0)" }
        default: return nil
        }
    }

    /// Major and minor.
    private static func version(of path: String, _ words: String...) -> String? {
        var process = ChildProcess(path: path, arguments: [path] + (words.isEmpty ? ["--version"] : words))
        // Terraform has something to say of a configuration that it does not find.
        process.errors = .null
        guard let output = try? process.capture().output else { return nil }
        return String(decoding: output, as: UTF8.self).firstMatch(of: /\d+\.\d+/).map { String($0.0) }
    }
}
