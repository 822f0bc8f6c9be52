import Glibc
import Options
import Program
import WebAddress

enum ConfigureGitCommand: Command {
    struct Values: ProfileOption {
        var profile: String?
        var scope = "--global"
        var allowsInsecure = false
    }

    static let name = "git"
    static let summary = "Let git take the token for a host"
    static let defaults = Values()
    static let wordKind = WordKind.origin

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential configure git", parameters: "URL", summary: summary,
            description: """
                Adds a host entry to the configuration file and, in git's, an empty helper line followed by this helper,
                so that no other helper is asked for the host or stores its token.

                Example:
                  mojoauth-credential configure git https://git.example.com
                """,
            rows: [
                .profile,
                OptionRow("system", help: "Write git's system configuration") { values, _ in values.scope = "--system"
                },
                OptionRow("global", help: "Write the user's git configuration (default)") { values, _ in
                    values.scope = "--global"
                },
                OptionRow("local", help: "Write the configuration of the repository here") { values, _ in
                    values.scope = "--local"
                },
                OptionRow("allow-insecure", help: "Allow http, for a host on loopback alone") { values, _ in
                    values.allowsInsecure = true
                },
            ])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        guard words.count == 1, let url = WebURL(words[0]), url.userInfo == nil else {
            throw Complaint(
                "git's host must be one URL such as https://git.example.com",
                hint: "see 'mojoauth-credential configure git --help'", exitCode: .usage)
        }
        let entry = try ConfiguredHost.ensure(
            url.origin, profile: values.profile, allowsInsecure: values.allowsInsecure, desk: Desk())
        let key = "credential.\(url.origin).helper"
        let wanted = ["", "mojoauth"]
        let found = try git(["config", values.scope, "--get-all", key])
        if found == wanted {
            StandardStream.writeError(entry + "git has \(key) set already.\n")
            return .success
        }
        // --replace-all, because lines of an earlier set-up would be asked before ours.
        _ = try git(["config", values.scope, "--replace-all", key, ""])
        _ = try git(["config", values.scope, "--add", key, "mojoauth"])
        let before = found.isEmpty ? "" : " (before: \(found.map { "\"\($0)\"" }.joined(separator: ", ")))"
        StandardStream.writeError(
            "\(entry)Set \(key) to \"\" and \"mojoauth\" in git's \(values.scope.dropFirst(2)) configuration\(before).\n"
        )
        return .success
    }

    /// Runs git and splits its output into lines; an exit code of 1 is "not set".
    private static func git(_ arguments: [String]) throws(Complaint) -> [String] {
        let result: (status: Int32, output: [UInt8])
        do throws(ChildProcess.SpawnFailure) {
            result = try ChildProcess(path: "/usr/bin/env", arguments: ["env", "git"] + arguments).capture()
        } catch {
            throw Complaint(error.description, hint: "install git", exitCode: .configuration)
        }
        guard result.status == 0 || result.status == 1 else {
            throw Complaint(
                "git \(arguments.prefix(3).joined(separator: " ")) failed with exit code \(result.status)",
                hint: "see what git says above", exitCode: .configuration)
        }
        var lines = String(decoding: result.output, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        return lines.map(String.init)
    }
}
