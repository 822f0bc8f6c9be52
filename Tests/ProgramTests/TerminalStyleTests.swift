import Program
import Testing

@Suite struct TerminalStyleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let variables: [String: String]
        let isTerminal: Bool
        let isColoured: Bool
        var testDescription: String { "\(variables.sorted { $0.key < $1.key }), terminal: \(isTerminal)" }

        init(_ variables: [String: String], terminal: Bool, coloured: Bool) {
            self.variables = variables
            isTerminal = terminal
            isColoured = coloured
        }
    }

    @Test(arguments: [
        Row([:], terminal: true, coloured: true),
        Row([:], terminal: false, coloured: false),
        Row(["NO_COLOR": "1"], terminal: true, coloured: false),
        Row(["NO_COLOR": "0"], terminal: true, coloured: false),
        Row(["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], terminal: true, coloured: false),
        Row(["CLICOLOR_FORCE": "1"], terminal: false, coloured: true),
        Row(["CLICOLOR_FORCE": "1", "CLICOLOR": "0"], terminal: false, coloured: true),
        Row(["CLICOLOR_FORCE": "0"], terminal: false, coloured: false),
        Row(["CLICOLOR_FORCE": "0"], terminal: true, coloured: true),
        Row(["CLICOLOR": "0"], terminal: true, coloured: false),
        Row(["CLICOLOR": "1"], terminal: true, coloured: true),
        Row(["CLICOLOR": "1"], terminal: false, coloured: false),
        Row(["TERM": "dumb"], terminal: true, coloured: false),
        Row(["TERM": "dumb", "CLICOLOR_FORCE": "1"], terminal: true, coloured: true),
    ])
    func decides(_ row: Row) {
        let style = TerminalStyle(isTerminal: row.isTerminal) { row.variables[$0] }
        #expect(style.isColoured == row.isColoured)
        #expect(style.paint("ok", .green) == (row.isColoured ? "\u{1B}[32mok\u{1B}[0m" : "ok"))
    }
}
