import Program
import Testing

@Suite struct ComplaintTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let complaint: Complaint
        let lines: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(
            name: "error alone", complaint: Complaint("cannot reach a.example", exitCode: .temporary),
            lines: "p: error: cannot reach a.example\n"),
        Row(
            name: "error and hint",
            complaint: Complaint("not logged in", hint: "run 'mojoauth-credential login'", exitCode: .loginRequired),
            lines: "p: error: not logged in\np: hint: run 'mojoauth-credential login'\n"),
        Row(
            name: "line end in the message", complaint: Complaint("a\np: hint: b", exitCode: .usage),
            lines: "p: error: a\u{FFFD}p: hint: b\n"),
        Row(
            name: "line end in the hint", complaint: Complaint("a", hint: "b\nc", exitCode: .usage),
            lines: "p: error: a\np: hint: b\u{FFFD}c\n"),
        Row(
            name: "colour in the message", complaint: Complaint("\u{1B}[2Ja", exitCode: .usage),
            lines: "p: error: \u{FFFD}[2Ja\n"),
        Row(
            name: "override in the hint", complaint: Complaint("a", hint: "\u{202E}b", exitCode: .usage),
            lines: "p: error: a\np: hint: \u{FFFD}b\n"),
        Row(
            name: "empty hint", complaint: Complaint("a", hint: "", exitCode: .usage), lines: "p: error: a\np: hint: \n"
        ),
    ])
    func lines(_ row: Row) {
        #expect(row.complaint.lines(program: "p") == row.lines)
    }

    struct Code: Sendable, CustomTestStringConvertible {
        let code: ExitCode
        let number: Int32
        var testDescription: String { "\(code)" }
    }

    /// The table of security.md, and a shell's two for a command that `run` cannot start.
    @Test(arguments: [
        Code(code: .success, number: 0),
        Code(code: .protocolFailure, number: 1),
        Code(code: .usage, number: 64),
        Code(code: .issuerError, number: 65),
        Code(code: .keyringUnavailable, number: 69),
        Code(code: .temporary, number: 75),
        Code(code: .unacceptableAnswer, number: 76),
        Code(code: .loginRequired, number: 77),
        Code(code: .configuration, number: 78),
        Code(code: .cannotStart, number: 126),
        Code(code: .notFound, number: 127),
        Code(code: .cancelled, number: 130),
    ])
    func exitCode(_ row: Code) {
        #expect(row.code.rawValue == row.number)
        #expect(ExitCode(rawValue: row.number) == row.code)
    }

    @Test(arguments: [-1, 2, 63, 66, 70, 74, 79, 125, 128, 255] as [Int32])
    func otherNumbersAreNoExitCode(number: Int32) {
        #expect(ExitCode(rawValue: number) == nil)
    }

    @Test func versionHasThreeNumbers() {
        let parts = Version.text.split(separator: ".", omittingEmptySubsequences: false)
        #expect(parts.count == 3 && parts.allSatisfy { Int($0) != nil })
    }
}
