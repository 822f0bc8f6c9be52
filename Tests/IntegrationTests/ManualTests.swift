import Foundation
import Testing
import TestSupport

/// The manual pages say what the programs can do: all of it, and nothing else.
@Suite struct ManualTests {
    /// A program with commands, and how it lists them.
    private static let programs = ["mojoauth-credential", "mojoauth-sandbox"]

    @Test(arguments: programs) func everyOptionIsInThePageAndTheReverse(_ program: String) throws {
        let world = try World(.noBus)
        let page = try ManualPage("\(program).1")
        let synopsis = page.synopsis()
        let shared = page.explained()
        let commands = try Self.commands(of: program, in: world)
        #expect(Set(commands.keys).isSuperset(of: ["login", "serve"].filter { synopsis[$0] != nil }))
        for (command, options) in commands {
            let named = try #require(synopsis[command], "\(command) is not in the SYNOPSIS of \(page.name)")
            #expect(page.commands().contains(command), "\(command) has no text in \(page.name)")
            let explained = page.explained(command)
            for spellings in options {
                #expect(!spellings.isDisjoint(with: named), "\(command): \(spellings) is not in the SYNOPSIS")
                #expect(
                    (explained + shared).contains { !$0.isDisjoint(with: spellings) },
                    "\(command): \(spellings) is not explained")
            }
            let known = options.reduce(into: Set<String>()) { $0.formUnion($1) }
            #expect(named.isSubset(of: known), "\(command): the SYNOPSIS invents \(named.subtracting(known))")
            for item in explained where !item.isSubset(of: known) {
                Issue.record("\(command): the page explains \(item.subtracting(known)), which --help does not have")
            }
        }
        // A command that has gone is gone from the page, too. `version` and `help` are words everywhere.
        let known = Set(commands.keys).union(["version", "help"])
        #expect(Set(page.commands()).subtracting(known).isEmpty)
        #expect(Set(synopsis.keys).subtracting(known).isEmpty)
    }

    @Test func everyPageHasTheSectionsThatPeopleLookFor() throws {
        let pages = try ManualPage.all()
        #expect(
            pages == [
                "docker-credential-mojoauth.1", "git-credential-mojoauth.1", "mojoauth-credential.1",
                "mojoauth-credential.conf.5", "mojoauth-helper.1", "mojoauth-sandbox.1",
            ])
        let wanted = [
            "NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO",
            "SECURITY CONSIDERATIONS",
        ]
        for name in pages {
            let sections = try ManualPage(name).sections
            #expect(sections.filter { wanted.contains($0) } == wanted, "\(name)")
        }
    }

    @Test(arguments: ["git-credential-mojoauth", "docker-credential-mojoauth"]) func helpersKnowTheActionsOfTheirPage(
        _ helper: String
    ) throws {
        let world = try World(.noBus)
        let outcome = try world.run(helper)
        let usage = try #require((outcome.text + outcome.errors).firstMatch(of: /usage: \S+ ([a-z|]+)/), "\(outcome)")
        let documented = try ManualPage("\(helper).1").synopsis().filter { $0.key != "credential-mojoauth" }.keys
        #expect(Set(documented).subtracting(["git", "docker"]) == Set(usage.1.split(separator: "|").map(String.init)))
    }

    /// The reader itself: a page that lacks an option, or has one too many, is told apart.
    @Test func readerSeesEachOption() {
        let page = ManualPage(
            name: "x.1",
            text: """
                .Sh SYNOPSIS
                .Nm x
                .Cm go
                .Op Fl -far | Fl -near
                .Op Fl p Ar profile | Fl -all
                .Nm x
                .Cm store | erase
                .Sh COMMANDS
                .It Fl p Ar profile , Fl -profile Ar profile
                .Ss go
                Goes; see
                .Sx FILES .
                .It Fl -far
                .Ss store
                .Sh FILES
                """)
        #expect(page.synopsis() == ["go": ["--far", "--near", "-p", "--all"], "store": [], "erase": []])
        #expect(page.commands() == ["go", "store"])
        #expect(page.explained() == [["-p", "--profile"]])
        #expect(page.explained("go") == [["--far"]])
    }

    /// The commands of a program, by its own help, and the options of each in all their spellings.
    private static func commands(of program: String, in world: World) throws -> [String: [Set<String>]] {
        var found: [String: [Set<String>]] = [:]
        let overview = try world.run(program, ["help"]).text
        for match in overview.matches(of: /(?m)^  ([a-z]+)  +[A-Za-z]/) {
            let command = String(match.1)
            let help = try world.run(program, [command, "--help"])
            guard help.exitCode == 0, help.text.contains(/^Usage:\s+\S+ \S+/) else { continue }
            // `configure profile|git|docker`: the options are those of the words.
            let words =
                help.text.firstMatch(of: /^Usage:\n.* ([a-z]+(?:\|[a-z]+)+)\n/)
                .map { $0.1.split(separator: "|").map(String.init) } ?? []
            let parts = try words.map { ("\(command) \($0)", try world.run(program, [command, $0, "--help"]).text) }
                .filter { $1.hasPrefix("Usage:\n  \(program) \($0) ") }
            for (name, text) in parts.isEmpty ? [(command, help.text)] : parts { found[name] = options(in: text) }
        }
        return found
    }

    /// The rows of a help text, but for those that every command has and each page names once.
    private static func options(in help: String) -> [Set<String>] {
        help.matches(of: /(?m)^  +(?:(-[A-Za-z]), )?(--[a-z][a-z0-9-]*)(?:=|  |$)/)
            .map { Set([$0.1.map(String.init), String($0.2)].compactMap { $0 }) }
            .filter { $0.isDisjoint(with: ["--help", "--verbose"]) }
    }
}
