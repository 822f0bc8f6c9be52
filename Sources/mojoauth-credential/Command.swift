import Options
import Program

/// One subcommand: its options, its help and what it does. A file each.
protocol Command {
    associatedtype Values

    static var name: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    static var table: OptionTable<Values> { get }
    static var defaults: Values { get }

    /// What its words may be, for completion.
    static var wordKind: WordKind { get }
    /// Commands below this one; none takes other words.
    static var subcommands: [any Command.Type] { get }
    /// The rows of its table.
    static var options: [OptionSummary] { get }

    /// - Parameter words: what is left of the command line beside the options.
    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode

    /// From the words behind the command's name; a command with subcommands has its own.
    static func main(_ arguments: [String]) throws(Complaint) -> ExitCode
}

/// What a word of the command line can be.
enum WordKind {
    case none
    case profile
    /// `https://git.example.com`
    case origin
    /// `registry.example.com:5000`
    case authority
    case one(of: [String])
}

extension Command {
    static var wordKind: WordKind { .none }

    static var subcommands: [any Command.Type] { [] }

    static var options: [OptionSummary] { fullTable.rows.map(\.summary) }

    /// The table with the rows that every command has.
    static var fullTable: OptionTable<Values> {
        var table = table
        table.rows.append(
            OptionRow("verbose", help: "Tell each step on standard error, and no secret") { _, _ in Steps.tell() })
        table.rows.append(OptionRow("help", short: "h", help: "Show this help") { _, _ in })
        return table
    }

    static func main(_ arguments: [String]) throws(Complaint) -> ExitCode {
        let table = fullTable
        // Before parsing: help is given also beside an option that is wrong.
        if arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            try print(table.help())
            return .success
        }
        var values = defaults
        let words = try table.parse(arguments, into: &values)
        return try run(values, words)
    }

    static func noWords(_ words: [String]) throws(Complaint) {
        guard let word = words.first else { return }
        throw Complaint(
            "\(name) takes no \"\(word)\"", hint: "see 'mojoauth-credential \(name) --help'", exitCode: .usage)
    }
}

/// A whole answer on stdout.
func print(_ text: String) throws(Complaint) {
    try print(Array(text.utf8))
}

/// Writes bytes as they are.
func print(_ bytes: [UInt8]) throws(Complaint) {
    do throws(StandardStream.Failure) {
        try StandardStream.writeOutput(bytes)
    } catch {
        throw Complaint("cannot write the output: \(error.description)", exitCode: .protocolFailure)
    }
}

/// Options that most commands share.
protocol ProfileOption {
    var profile: String? { get set }
}

protocol JSONOption {
    var isJSON: Bool { get set }
}

extension OptionRow where Values: ProfileOption {
    static var profile: OptionRow {
        OptionRow(
            "profile", short: "p", value: "NAME", help: "Which profile (default: $MOJOAUTH_PROFILE, else \"default\")"
        ) {
            values, text in values.profile = text
        }
    }
}

extension OptionRow where Values: JSONOption {
    static var json: OptionRow {
        OptionRow("json", help: "Report as JSON") { values, _ in values.isJSON = true }
    }
}

/// Which of git's files.
protocol GitScopeOption {
    /// As git's option: `--global`, `--system` or `--local`; nil when none was given.
    var scope: String? { get set }
}

extension GitScopeOption {
    var gitScope: String { scope ?? "--global" }
}

extension OptionRow where Values: GitScopeOption {
    static func scope(_ name: String, _ help: String) -> OptionRow {
        OptionRow(name, help: help) { (values, _) throws(OptionFault) in
            guard values.scope == nil || values.scope == "--\(name)" else {
                throw OptionFault("goes not with \(values.scope ?? "")")
            }
            values.scope = "--\(name)"
        }
    }
}

extension OptionRow {
    /// A whole number of seconds in a range.
    static func seconds(
        _ text: String, in range: ClosedRange<Int> = 0...315_360_000
    ) throws(OptionFault) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw OptionFault("\"\(text)\" is not a number of seconds from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
