/// A failure as a person reads it: what was tried, on what, why; what to do next; and the exit code that says so.
///
/// Every error of our modules becomes one of these before it leaves a program.
package struct Complaint: Error, Sendable, Equatable {
    /// Lower case, no final period, no secret.
    package var message: String
    /// The next step, in the same form; nil when there is none to give.
    package var hint: String?
    package var exitCode: ExitCode

    package init(_ message: String, hint: String? = nil, exitCode: ExitCode) {
        self.message = message
        self.hint = hint
        self.exitCode = exitCode
    }

    /// `error:` and `hint:` lines, each ended by LF, safe for a terminal.
    package func lines(program: String) -> String {
        let first = "\(program): error: \(DisplayText.clean(message))\n"
        return first + (hint.map { "\(program): hint: \(DisplayText.clean($0))\n" } ?? "")
    }
}
