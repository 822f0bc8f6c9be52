import Options
import Program
import Testing

/// Serialized: GLib's usage line begins with the process's one program name.
@Suite(.serialized) struct OptionTableTests {
    struct Values: Equatable, Sendable {
        var profile: String?
        var seconds: Int?
        var scopes: [String] = []
        var json = false
        var verbose = 0
    }

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential try", parameters: "[URL]", summary: "Tries the options.",
            description: "Examples:\n  mojoauth-credential try --json",
            rows: [
                OptionRow("profile", short: "p", value: "NAME", help: "the profile") { $0.profile = $1 },
                OptionRow("seconds", value: "SECONDS", help: "how long") { (values, text) throws(OptionFault) in
                    guard let seconds = Int(text), seconds >= 0 else {
                        throw OptionFault("'\(text)' is not a number of seconds")
                    }
                    values.seconds = seconds
                },
                OptionRow("scope", short: "s", value: "SCOPE", help: "one more scope") { $0.scopes.append($1) },
                OptionRow("json", help: "JSON for scripts") { values, _ in values.json = true },
                OptionRow("verbose", short: "v", help: "says more") { values, _ in values.verbose += 1 },
            ])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        var values: Values
        var rest: [String]
        var testDescription: String { name }

        init(_ name: String, _ arguments: [String], rest: [String] = [], _ change: (inout Values) -> Void = { _ in }) {
            self.name = name
            self.arguments = arguments
            self.rest = rest
            values = Values()
            change(&values)
        }
    }

    static let good: [Row] = [
        Row("nothing", []),
        Row("flag", ["--json"]) { $0.json = true },
        Row("short flag", ["-v"]) { $0.verbose = 1 },
        Row("flag twice", ["-v", "--verbose"]) { $0.verbose = 2 },
        Row("short flags in one word", ["-vv"]) { $0.verbose = 2 },
        Row("value in the next word", ["--profile", "work"]) { $0.profile = "work" },
        Row("value in the same word", ["--profile=work"]) { $0.profile = "work" },
        Row("short form", ["-p", "work"]) { $0.profile = "work" },
        Row("value in the same word as a short form", ["-pwork"]) { $0.profile = "work" },
        Row("value that looks like one", ["--profile", "-pwork"]) { $0.profile = "-pwork" },
        Row("value that looks like one, behind a short form", ["-s", "-pwork"]) { $0.scopes = ["-pwork"] },
        Row("last value wins", ["-p", "a", "--profile", "b"]) { $0.profile = "b" },
        Row("values in order", ["-s", "a", "--scope=b", "--scope", "c"]) { $0.scopes = ["a", "b", "c"] },
        Row("empty value", ["--profile", ""]) { $0.profile = "" },
        Row("empty value in the same word", ["--profile="]) { $0.profile = "" },
        Row("value with a blank", ["--profile", "a b"]) { $0.profile = "a b" },
        Row("value with an equals sign", ["--profile=a=b"]) { $0.profile = "a=b" },
        Row("value beyond ASCII", ["--profile", "Zürich 東京"]) { $0.profile = "Zürich 東京" },
        Row("value that begins with a dash", ["--profile", "-x"]) { $0.profile = "-x" },
        Row("value that looks like an option", ["--profile", "--json"]) { $0.profile = "--json" },
        Row("value that is two dashes", ["--profile", "--", "word"], rest: ["word"]) { $0.profile = "--" },
        Row("value that begins with a dash, same word", ["--profile=-x"]) { $0.profile = "-x" },
        Row("number", ["--seconds", "0"]) { $0.seconds = 0 },
        Row("flag takes no word", ["--json", "word"], rest: ["word"]) { $0.json = true },
        Row("word before an option", ["word", "--json"], rest: ["word"]) { $0.json = true },
        Row("words keep their order", ["b", "--json", "a"], rest: ["b", "a"]) { $0.json = true },
        Row("word beyond ASCII", ["é"], rest: ["é"]),
        Row("empty word", [""], rest: [""]),
        Row("a single dash is a word", ["-"], rest: ["-"]),
        Row("nothing behind two dashes", ["--"]),
        Row("options behind two dashes are words", ["--", "--json", "-v"], rest: ["--json", "-v"]),
        Row("options before and behind two dashes", ["--json", "--", "--verbose"], rest: ["--verbose"]) {
            $0.json = true
        },
        Row("word, two dashes, word", ["a", "--", "b"], rest: ["a", "b"]),
        Row("only the first two dashes are dropped", ["--", "--", "b"], rest: ["--", "b"]),
        Row("and behind a word, too", ["a", "--", "--", "-v"], rest: ["a", "--", "-v"]),
    ]

    @Test(arguments: good) func parses(_ row: Row) throws {
        var values = Values()
        let rest = try Self.table.parse(row.arguments, into: &values)
        #expect(values == row.values)
        #expect(rest == row.rest)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        /// What the message names.
        let named: String
        var testDescription: String { name }

        init(_ name: String, _ arguments: [String], names named: String) {
            self.name = name
            self.arguments = arguments
            self.named = named
        }
    }

    static let bad: [Bad] = [
        Bad("unknown option", ["--colour"], names: "--colour"),
        Bad("unknown option with a value", ["--colour=red"], names: "--colour"),
        Bad("unknown short option", ["-x"], names: "-x"),
        Bad("unknown short option among known ones", ["-vx"], names: "-vx"),
        Bad("unknown behind a word", ["word", "--colour"], names: "--colour"),
        Bad("unknown behind a known one", ["--json", "--colour"], names: "--colour"),
        Bad("abbreviation", ["--prof", "work"], names: "--prof"),
        Bad("one dash before a long name", ["-json"], names: "-json"),
        Bad("capitals", ["--JSON"], names: "--JSON"),
        Bad("capital short form", ["-V"], names: "-V"),
        Bad("three dashes", ["---json"], names: "---json"),
        Bad("value for a flag", ["--json=no"], names: "--json takes no value"),
        Bad("empty value for a flag", ["--json="], names: "--json takes no value"),
        Bad("no value", ["--profile"], names: "--profile"),
        Bad("no value for the short form", ["-p"], names: "-p"),
        Bad("no value behind a word", ["word", "--profile"], names: "--profile"),
        Bad("help is a row or nothing", ["--help"], names: "--help"),
        Bad("empty name", ["--=x"], names: "option"),
        Bad("blank in the name", ["--json "], names: "--json "),
        Bad("not a number", ["--seconds", "soon"], names: "--seconds: 'soon' is not a number of seconds"),
        Bad("negative number", ["--seconds", "-1"], names: "--seconds: '-1' is not a number of seconds"),
        Bad("empty number", ["--seconds="], names: "--seconds: '' is not a number of seconds"),
    ]

    @Test(arguments: bad) func refuses(_ row: Bad) {
        var values = Values()
        let complaint = #expect(throws: Complaint.self) { try Self.table.parse(row.arguments, into: &values) }
        #expect(complaint?.exitCode == .usage)
        #expect(complaint?.message.contains(row.named) == true)
        // Two of them are near to an option: suggestsTheOptionThatIsMeant() tells when.
        #expect(
            ["see 'mojoauth-credential try --help'", "did you mean \"--json\"?"].contains(complaint?.hint),
            "\(row.name)")
    }

    @Test func applicationEndsAtTheFirstFault() {
        var values = Values()
        #expect(throws: Complaint.self) {
            try Self.table.parse(["--profile", "a", "--seconds", "x", "--json"], into: &values)
        }
        #expect(values.profile == "a" && !values.json)
    }

    /// The parser may not shorten what its caller holds.
    @Test func leavesTheArgumentsAlone() throws {
        let arguments = ["--json", "word"]
        var values = Values()
        for _ in 0..<3 { _ = try Self.table.parse(arguments, into: &values) }
        #expect(arguments == ["--json", "word"])
    }

    @Test func helpListsEveryRow() {
        let help = Self.table.help()
        for row in Self.table.rows {
            #expect(help.contains("--\(row.long)"))
            #expect(help.contains(row.help))
            if let short = row.short { #expect(help.contains("-\(short), --\(row.long)")) }
            if let value = row.value { #expect(help.contains("--\(row.long)=\(value)")) }
        }
    }

    /// Golden: a person reads it.
    @Test func helpIsExactlyThis() {
        #expect(
            Self.table.help() == """
                Usage:
                  mojoauth-credential try [OPTION…] [URL]

                Tries the options.

                Options:
                  -p, --profile=NAME     the profile
                  --seconds=SECONDS      how long
                  -s, --scope=SCOPE      one more scope
                  --json                 JSON for scripts
                  -v, --verbose          says more

                Examples:
                  mojoauth-credential try --json

                """)
    }

    @Test func aTableWithoutRowsTakesWords() throws {
        let table = OptionTable<Values>(command: "c", summary: "Nothing.", rows: [])
        var values = Values()
        #expect(try table.parse(["a", "b"], into: &values) == ["a", "b"])
        #expect(throws: Complaint.self) { try table.parse(["--json"], into: &values) }
        #expect(table.help().contains("Nothing."))
    }

    @Test(arguments: [
        (["--secnods", "3"], "did you mean \"--seconds\"?"), (["--jsn"], "did you mean \"--json\"?"),
        (["--scopes=a"], "did you mean \"--scope\"?"), (["--json", "--verbos"], "did you mean \"--verbose\"?"),
        (["--frobnicate"], "see 'mojoauth-credential try --help'"), (["-q"], "see 'mojoauth-credential try --help'"),
        (["--seconds"], "see 'mojoauth-credential try --help'"),
    ])
    func suggestsTheOptionThatIsMeant(_ arguments: [String], _ hint: String) {
        var values = Values()
        do throws(Complaint) {
            _ = try Self.table.parse(arguments, into: &values)
            Issue.record("\(arguments) was taken")
        } catch {
            #expect(error.hint == hint && error.exitCode == .usage, "\(error)")
        }
    }
}
