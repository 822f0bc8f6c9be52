import HelperProtocol
import Program

/// The hot program: it acts by the name that it was started with, or by its first word (`mojoauth-helper git get`).
package enum HelperProgram {
    /// One helper protocol.
    private struct Row {
        /// The first word, for use by hand.
        var word: String
        /// The name that callers run it by; nil for those that pass the word.
        var link: String?
        var run: ([String], HelperName) -> Int32

        var name: HelperName { HelperName(word: word, link: link) }
    }

    private static var rows: [Row] {
        [
            Row(word: "git", link: "git-credential-mojoauth") {
                GitCommand.run($0, program: $1.program, renewal: ChildRenewal())
            },
            Row(word: "docker", link: "docker-credential-mojoauth") {
                DockerCommand.run($0, program: $1.program, renewal: ChildRenewal())
            },
            Row(word: "kubernetes", run: CredentialCommand<KubernetesRequest>.run),
            Row(word: "cargo", link: "cargo-credential-mojoauth", run: CredentialCommand<CargoRequest>.run),
            Row(word: "bazel", link: "bazel-credential-mojoauth", run: CredentialCommand<BazelRequest>.run),
            Row(
                word: "terraform", link: "terraform-credentials-mojoauth", run: CredentialCommand<TerraformRequest>.run),
            Row(word: "keyring", link: "keyring", run: CredentialCommand<KeyringRequest>.run),
            Row(word: "goauth", run: CredentialCommand<GoRequest>.run),
            Row(word: "token", run: CredentialCommand<PlainTokenRequest>.run),
        ]
    }

    /// - Parameter arguments: the zeroth included.
    /// - Returns: the exit code, 0 or 1.
    package static func run(_ arguments: [String]) -> Int32 {
        let name = arguments.first.flatMap { $0.split(separator: "/").last }.map(String.init) ?? HelperName.own
        let rest = Array(arguments.dropFirst())
        if let row = rows.first(where: { $0.link == name }) { return row.run(rest, row.name) }
        if let row = rows.first(where: { $0.word == rest.first }) {
            return row.run(Array(rest.dropFirst()), row.name)
        }
        if rest == ["--version"] {
            return (try? StandardStream.writeOutput("\(HelperName.own) \(Version.text)\n")) == nil ? 1 : 0
        }
        let words = rows.map(\.word).joined(separator: "|")
        StandardStream.writeError("usage: \(HelperName.own) \(words) ...\n")
        return 1
    }
}
