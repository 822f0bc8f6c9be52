import Program
import WebAddress

/// git's configuration, read and written by git itself.
struct GitConfiguration {
    /// Which of git's files: `--global`, `--system` or `--local`.
    let scope: String

    /// As git's own words put it: "global".
    var scopeName: Substring { scope.dropFirst(2) }

    /// All values of a key in this file, in their order; none when it is not set.
    func values(_ key: String) throws(Complaint) -> [String] {
        try Self.git(["config", scope, "--null", "--get-all", key]).fields
    }

    /// Puts a value behind those that the key has.
    func add(_ key: String, _ value: String) throws(Complaint) {
        _ = try Self.git(["config", scope, "--add", key, value])
    }

    /// Takes every line of a key away that has this value and no other.
    func remove(_ key: String, _ value: String) throws(Complaint) {
        let pattern = value.isEmpty ? "^$" : "^\(value)$"
        _ = try Self.git(["config", scope, "--unset-all", key, pattern])
    }

    /// Takes every line of a key away.
    func removeAll(_ key: String) throws(Complaint) {
        _ = try Self.git(["config", scope, "--unset-all", key])
    }

    // MARK: All files together

    /// What in any of git's files, as seen from here, makes it ask this helper for an origin; nil when nothing does.
    ///
    /// - Parameter everyHost: does `credential.helper`, which is about every host, count?
    static func mention(of origin: Origin, everyHost: Bool) throws(Complaint) -> String? {
        let result = try git(["config", "--null", "--get-regexp", HelperSetting.pattern], mayBeMissing: true)
        let settings = result.fields.compactMap { HelperSetting(field: $0) }.filter(\.isOurs)
        if everyHost, settings.contains(where: \.isForEveryHost) {
            return "git's credential.helper asks this helper for every host"
        }
        let own = settings.first { !$0.isForEveryHost && $0.applies(to: origin) }
        return own.map { "git's \($0.shownKey) names this helper" }
    }

    /// Does the git here know `http.proactiveAuth`, which came with 2.46?
    static func knowsProactiveAuth() throws(Complaint) -> Bool {
        GitVersion(try git(["version"]).text)?.knowsProactiveAuth ?? false
    }

    // MARK: Running git

    private struct Answer {
        var output: [UInt8]

        var text: String { String(decoding: output, as: UTF8.self) }

        /// Each ended by a NUL.
        var fields: [String] {
            var fields = output.split(separator: 0, omittingEmptySubsequences: false)
            if fields.last?.isEmpty ?? false { fields.removeLast() }
            return fields.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Runs git; an exit code of 1 is "not set".
    ///
    /// - Parameter mayBeMissing: without git nothing is set.
    private static func git(_ arguments: [String], mayBeMissing: Bool = false) throws(Complaint) -> Answer {
        let result: (status: Int32, output: [UInt8])
        do throws(ChildProcess.SpawnFailure) {
            var child = ChildProcess(named: "git", arguments: arguments)
            if mayBeMissing { child.errors = .null }
            result = try child.capture()
        } catch {
            throw Complaint(error.description, hint: "install git", exitCode: .configuration)
        }
        if mayBeMissing, result.status == 127 { return Answer(output: []) }
        guard result.status == 0 || result.status == 1 else {
            throw Complaint(
                "git \(arguments.prefix(3).joined(separator: " ")) failed with exit code \(result.status)",
                hint: result.status == 127 ? "install git" : "see what git says above", exitCode: .configuration)
        }
        return Answer(output: result.output)
    }
}
