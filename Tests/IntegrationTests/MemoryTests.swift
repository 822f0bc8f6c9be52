import Foundation
import Testing
import TestSupport

/// What a program has lost sight of at its end, as valgrind sees it.
@Suite(.serialized) struct MemoryTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var program: String
        var arguments: [String]
        var input = ""
        var testDescription: String { ([program] + arguments).joined(separator: " ") }
    }

    private static let rows = [
        Row(program: "git-credential-mojoauth", arguments: ["get"], input: World.gitRequest(SignedIn.host)),
        Row(program: "docker-credential-mojoauth", arguments: ["get"], input: "git.example.com"),
        Row(program: "mojoauth-credential", arguments: ["status"]),
        Row(program: "mojoauth-credential", arguments: ["refresh"]),
    ]

    /// What libsecret's service object loses: its name, which we set anew, and the end of GDBus's watch of it, which
    /// nobody waits for. Once a process, in bytes.
    private static let serviceObject = 32

    /// Nothing that code of ours asked for is lost. What libraries keep for themselves until the end is theirs.
    @Test(arguments: rows) func nothingOfOursIsLost(_ row: Row) throws {
        let signedIn = try SignedIn()
        let program = try signedIn.world.run("which", [row.program]).text.split(separator: "\n").first.map(String.init)
        let outcome = try signedIn.world.run(
            "valgrind",
            [
                "--leak-check=full", "--show-leak-kinds=definite", "--num-callers=40", "--log-file=\(log(signedIn))",
                try #require(program),
            ] + row.arguments, input: row.input, timeout: 120)
        #expect(outcome.exitCode == 0 && !outcome.output.isEmpty, "\(outcome)")
        let report = try signedIn.world.scratch.read("valgrind")
        #expect(report.contains("LEAK SUMMARY") || report.contains("no leaks are possible"), "\(report)")
        let losses = report.components(separatedBy: " are definitely lost in loss record ").dropFirst()
        let ours = losses.filter { loss in
            // Up to the empty line behind its stack.
            let stack = loss.components(separatedBy: "== \n")[0]
            let isOurs = stack.contains("/mojoauth-") || stack.contains(".swift:")
            return isOurs && !stack.contains("serviceOpening")
        }
        #expect(ours.isEmpty, "\(ours.joined(separator: "\n"))")
        // In every row the same, however much was read.
        let lost = report.firstMatch(of: /definitely lost: ([0-9,]+) bytes/)?.1.filter { $0 != "," }
        #expect(lost.flatMap { Int($0) } ?? 0 <= Self.serviceObject, "\(report)")
    }

    private func log(_ signedIn: SignedIn) -> String { signedIn.world.scratch.path("valgrind") }
}
