import JSON
import Program

/// One thing that the doctor looked at, and what is to be said of it.
struct Finding {
    enum Verdict: String {
        case ok
        /// Works, but may surprise.
        case warning
        /// Does not work.
        case bad
    }

    /// What was looked at: `default collection`.
    var subject: String
    var verdict: Verdict
    /// Lower case, no final period, no secret.
    var text: String
    /// What to do; every bad one has it.
    var hint: String?
    /// What the commands that meet it end with.
    var exitCode = ExitCode.success

    static func ok(_ subject: String, _ text: String) -> Finding {
        Finding(subject: subject, verdict: .ok, text: text)
    }

    static func warning(_ subject: String, _ text: String, hint: String? = nil) -> Finding {
        Finding(subject: subject, verdict: .warning, text: text, hint: hint)
    }

    static func bad(_ subject: String, _ complaint: Complaint) -> Finding {
        Finding(
            subject: subject, verdict: .bad, text: complaint.message,
            hint: complaint.hint ?? "see mojoauth-credential(1)", exitCode: complaint.exitCode)
    }
}

extension Finding {
    func lines(_ style: TerminalStyle) -> String {
        let colour: TerminalStyle.Colour =
            switch verdict {
            case .ok: .green
            case .warning: .yellow
            case .bad: .red
            }
        let word = style.paint(verdict.rawValue, colour) + String(repeating: " ", count: 9 - verdict.rawValue.count)
        let first = "  \(word)\(DisplayText.clean("\(subject): \(text)"))\n"
        return first + (hint.map { "           -> \(DisplayText.clean($0))\n" } ?? "")
    }

    func json(group: String) -> JSONValue {
        var object = JSONObject([
            .init(name: "group", value: .string(group)), .init(name: "subject", value: .string(subject)),
            .init(name: "verdict", value: .string(verdict.rawValue)), .init(name: "text", value: .string(text)),
        ])
        object["hint"] = hint.map(JSONValue.string)
        return .object(object)
    }
}
