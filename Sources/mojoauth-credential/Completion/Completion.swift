import Configuration
import Options
import Program
import WebAddress

/// What may stand where the cursor is.
enum Completion {
    struct Candidate {
        var word: String
        /// One line for shells that show it; may be empty.
        var help: String
    }

    /// - Parameter words: those behind the program's name; the last is the one being typed, perhaps still empty.
    /// - Returns: what it may become, in the order of the help.
    static func candidates(for words: [String]) -> [Candidate] {
        let typed = words.last ?? ""
        return all(before: Array(words.dropLast()), typed).filter { $0.word.hasPrefix(typed) }
    }

    private static func all(before words: [String], _ typed: String) -> [Candidate] {
        guard let name = words.first else {
            return CommandDispatcher.commands.map { Candidate(word: $0.name, help: $0.summary) }
        }
        guard var command = CommandDispatcher.commands.first(where: { $0.name == name }) else { return [] }
        var rest = words.dropFirst()
        while !command.subcommands.isEmpty {
            guard let name = rest.first else {
                return command.subcommands.map { Candidate(word: $0.name, help: $0.summary) }
            }
            guard let next = command.subcommands.first(where: { $0.name == name }) else { return [] }
            command = next
            rest = rest.dropFirst()
        }
        // Behind it stands what is no option, and for `run` a command of others.
        if rest.contains("--") { return self.words(command.wordKind) }
        if let option = rest.last.flatMap({ valued(command.options, $0) }) { return values(of: option) }
        // --option=value is one word.
        if typed.hasPrefix("--"), let equals = typed.firstIndex(of: "="),
            let option = valued(command.options, String(typed[..<equals]))
        {
            return values(of: option).map { Candidate(word: "\(typed[...equals])\($0.word)", help: $0.help) }
        }
        if typed.hasPrefix("-") {
            return command.options.map { Candidate(word: "--\($0.long)", help: $0.help) }
        }
        return self.words(command.wordKind)
    }

    /// The option that wants a value behind this word.
    private static func valued(_ options: [OptionSummary], _ word: String) -> OptionSummary? {
        options.first { option in
            option.value != nil && (word == "--\(option.long)" || option.short.map { word == "-\($0)" } ?? false)
        }
    }

    private static func values(of option: OptionSummary) -> [Candidate] {
        if option.long == "profile" { return words(.profile) }
        if option.long == "host" { return words(.origin) }
        return option.choices.map { Candidate(word: $0, help: "") }
    }

    /// A configuration that cannot be read has nothing to offer.
    private static func words(_ kind: WordKind) -> [Candidate] {
        switch kind {
        case .none: return []
        case .one(let words): return words.map { Candidate(word: $0, help: "") }
        case .profile: return (configuration?.profileNames ?? []).map { Candidate(word: $0, help: "profile") }
        case .origin:
            return (configuration?.hosts ?? []).map {
                Candidate(word: $0.origin.description, help: "profile \($0.profileName)")
            }
        case .authority:
            return (configuration?.hosts ?? []).map {
                Candidate(word: $0.origin.authority, help: "profile \($0.profileName)")
            }
        }
    }

    private static var configuration: Configuration? { try? Configuration.load() }
}
