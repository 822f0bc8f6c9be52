import Foundation
import Testing
import TestSupport

/// Words that are wrong in the way that people get them wrong: each is named, and told what to say instead.
@Suite(.serialized) struct WrongWordsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let variables: [String: String]
        let exitCode: Int32
        let says: [String]
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ line: String, with variables: [String: String] = [:], _ exitCode: Int32, _ says: String...) {
            arguments = line.split(separator: " ").map(String.init)
            self.variables = variables
            self.exitCode = exitCode
            self.says = says
        }
    }

    private static let rows = [
        Row("configure git --system --global https://g.example", 64, "--global: goes not with --system"),
        Row("refresh --if-stale 5 --if-ageing", 64, "exclude each other"),
        Row("refresh --id-token --audience a", 64, "exclude each other"),
        Row("logout --timeout 5", 64, "--timeout goes with --browser alone"),
        Row("login --prompt foo", 64, "\"foo\" is not login, consent"),
        Row("login --prompt none\u{a0}login", 64, "is not login, consent"),
        Row("help configure podman", 64, "\"configure\" has no \"podman\""),
        Row("help login extra", 64, "\"login\" has no \"extra\""),
        Row("unconfigure background now", 64, "takes no \"now\""),
        Row("status", with: ["MOJOAUTH_PROFILE": "zz"], 78, "which MOJOAUTH_PROFILE names", "unset MOJOAUTH_PROFILE"),
        Row("status", with: ["MOJOAUTH_CONFIG": "rel"], 78, "an absolute path", "a path that begins with /"),
        Row(
            "configure profile work --offline --issuer notaurl --client-id x", 78,
            "error: nothing was written: [profile work] issuer: ", "hint: say it in another way"),
        Row(
            "configure profile --offline --min-lifetime soon", 78,
            "error: nothing was written: [profile default] min-lifetime: "),
    ]

    @Test(arguments: rows) func isNamed(_ row: Row) throws {
        let world = try World(.noBus)
        try world.configure(issuer: "https://acme.example", clientID: "a")
        let before = try String(contentsOfFile: world.configurationFile, encoding: .utf8)
        let outcome = try world.run("mojoauth-credential", row.arguments, environment: row.variables)
        #expect(outcome.exitCode == row.exitCode && outcome.output.isEmpty, "\(outcome)")
        for words in row.says { #expect(outcome.errors.contains(words), "\(outcome)") }
        #expect(try String(contentsOfFile: world.configurationFile, encoding: .utf8) == before)
    }

    @Test func helpOfACommandBelowAnother() throws {
        let world = try World(.noBus)
        let help = try world.run("mojoauth-credential", ["help", "configure", "git"])
        #expect(help.exitCode == 0 && help.text.contains("mojoauth-credential configure git [OPTION"), "\(help)")
    }

    /// A configuration of git's that cannot be read is found before a host is given a token.
    @Test func gitThatFailsLeavesNoHost() throws {
        let world = try World(.noBus)
        try world.configure(issuer: "https://acme.example", clientID: "a")
        let before = try String(contentsOfFile: world.configurationFile, encoding: .utf8)
        let outcome = try world.run(
            "mojoauth-credential", ["configure", "git", "--local", "https://half.example.com"],
            environment: ["GIT_CEILING_DIRECTORIES": "/", "GIT_DIR": world.scratch.path("no-repository")])
        #expect(outcome.exitCode == 78, "\(outcome)")
        #expect(try String(contentsOfFile: world.configurationFile, encoding: .utf8) == before)
    }

    @Test func silentWithoutABrowserSaysAtOnceThatAPersonIsNeeded() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world)
        try world.writeConfiguration(
            "[profile default]\nissuer=\(sandbox.issuer)\nclient-id=\(sandbox.clientID)\n")
        let outcome = try world.run(
            "mojoauth-credential", ["login", "--silent"],
            environment: ["BROWSER": nil, "DISPLAY": nil, "WAYLAND_DISPLAY": nil])
        #expect(outcome.exitCode == 77 && outcome.seconds < 10, "\(outcome)")
        #expect(outcome.errors.hasPrefix("mojoauth-credential: error: there is no browser here"), "\(outcome)")
    }
}
