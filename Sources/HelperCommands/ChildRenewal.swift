import Glibc
import OpenIDConnect
import Program
import Sensitive
import SessionStore
import WebAddress

/// Renewal by `mojoauth-credential`, started from the folder that this program really lies in.
package struct ChildRenewal: Renewal {
    /// In the child: where `refresh --handover` writes the new state.
    private static let handover: CInt = 3

    private let program: String
    private let patience: Double

    /// - Parameters:
    ///   - directory: where `mojoauth-credential` lies; nil when the kernel does not tell.
    ///   - patience: seconds that a caller waits for a refresh. The child is never killed: between sending a refresh token
    ///     and saving its successor that could lose the login.
    package init(directory: String? = ChildProcess.ownDirectory(), patience: Double = 30) {
        program = (directory ?? "/usr/bin") + "/mojoauth-credential"
        self.patience = patience
    }

    package func refresh(profile: String, target: TokenTarget, minimumLifetime: Int) throws(Complaint) -> AuthState {
        guard let state = Pipe(), let words = Pipe() else {
            throw Complaint("cannot make a pipe for the refresh", exitCode: .temporary)
        }
        var child = ChildProcess(
            path: program,
            arguments: [
                "mojoauth-credential", "refresh", "--profile", profile, "--if-stale", String(minimumLifetime),
                "--handover",
                String(Self.handover),
            ] + Self.options(target))
        child.errors = .descriptor(words.writing)
        child.extra = [(Self.handover, state.writing)]
        let process = try spawn(child)
        state.closeWriting()
        words.closeWriting()
        guard let (stateBytes, wordBytes) = Pipe.readBoth(state, words, within: patience) else {
            throw Complaint(
                "the token refresh has been running for \(Int(patience)) seconds", hint: "it goes on; try again",
                exitCode: .temporary)
        }
        let status = ChildProcess.wait(for: process)
        let said = String(decoding: wordBytes, as: UTF8.self)
        if let renewed = try? AuthStateCoding.decode(Secret(stateBytes)) {
            // A state that comes with words could not be stored: they are for the person.
            if !said.isEmpty { StandardStream.writeError(said) }
            return renewed
        }
        throw Complaint(parsing: said, exitCode: ExitCode(rawValue: status) ?? .temporary)
    }

    package func refreshBehind(profile: String, target: TokenTarget) {
        var child = ChildProcess(
            path: program,
            arguments: ["mojoauth-credential", "refresh", "--profile", profile, "--if-ageing"] + Self.options(target))
        child.errors = .null
        // Nobody waits: init reaps it. One that cannot start costs nothing, the token is still good.
        _ = try? child.spawn()
    }

    package func notifyBehind(profile: String) {
        var child = ChildProcess(
            path: program, arguments: ["mojoauth-credential", "login", "--profile", profile, "--notify"])
        child.errors = .null
        _ = try? child.spawn()
    }

    private static func options(_ target: TokenTarget) -> [String] {
        if target.isIDToken { return ["--id-token"] }
        return (target.audience.map { ["--audience", $0] } ?? []) + (target.resource.map { ["--resource", $0] } ?? [])
    }

    package func login(profile: String) throws(Complaint) {
        var child = ChildProcess(
            path: program, arguments: ["mojoauth-credential", "login", "--profile", profile, "--for-helper"])
        // The person reads its lines, and may paste a URL on the terminal: it stays in our session.
        child.ownSession = false
        let status = ChildProcess.wait(for: try spawn(child))
        if status != 0 { throw .loginNotCompleted(profile: profile, status: status) }
    }

    private func spawn(_ child: ChildProcess) throws(Complaint) -> pid_t {
        do throws(ChildProcess.SpawnFailure) {
            return try child.spawn()
        } catch {
            throw Complaint(
                error.description, hint: "install mojoauth-credential beside mojoauth-helper", exitCode: .configuration)
        }
    }
}

extension Complaint {
    /// Reads back what ``lines(program:)`` of a child of ours wrote.
    init(parsing text: String, exitCode: ExitCode) {
        var message: String?
        var hint: String?
        for line in text.split(separator: "\n") {
            if let range = line.utf8.place(of: ": error: ".utf8) {
                message = String(line[range.upperBound...])
            } else if let range = line.utf8.place(of: ": hint: ".utf8) {
                hint = String(line[range.upperBound...])
            }
        }
        self.init(
            message ?? "the token refresh failed with exit code \(exitCode.rawValue)", hint: hint, exitCode: exitCode)
    }
}
