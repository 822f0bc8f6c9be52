import Foundation

/// A manual page of ours, read for what it says about commands and options. The form is mdoc(7).
package struct ManualPage: Sendable {
    package let name: String
    /// Titles of the sections, in order.
    package let sections: [String]
    private let lines: [String]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("man")

    /// Every page of the project: `mojoauth-credential.1` and so on.
    package static func all() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(/\.[1-9]$/) }.sorted()
    }

    package init(_ name: String) throws {
        let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        self.init(name: name, text: text)
    }

    package init(name: String, text: String) {
        self.name = name
        lines = text.split(separator: "\n").map(String.init)
        sections = lines.filter { $0.hasPrefix(".Sh ") }.map { String($0.dropFirst(4)) }
    }

    /// The options of each line of the SYNOPSIS, by its command; `store | erase` are two commands.
    package func synopsis() -> [String: Set<String>] {
        var options: [String: Set<String>] = [:]
        var commands: [String] = []
        for line in part(from: ".Sh SYNOPSIS", to: ".Sh ") {
            if line.hasPrefix(".Nm") {
                commands = []
            } else if line.hasPrefix(".Cm ") {
                commands = line.dropFirst(4).components(separatedBy: " | ")
                for command in commands { options[command, default: []] = [] }
            } else {
                for command in commands { options[command, default: []].formUnion(Self.options(in: line)) }
            }
        }
        return options
    }

    /// The commands that have a text of their own under COMMANDS.
    package func commands() -> [String] {
        part(from: ".Sh COMMANDS", to: ".Sh ").filter { $0.hasPrefix(".Ss ") }.map { String($0.dropFirst(4)) }
    }

    /// The options that the list of a command explains, or, without a command, those that all commands share. Those of
    /// one list item are one option in several spellings.
    package func explained(_ command: String? = nil) -> [Set<String>] {
        part(from: command.map { ".Ss \($0)" } ?? ".Sh COMMANDS", to: ".Ss ", ".Sh ").filter { $0.hasPrefix(".It Fl ") }
            .map(Self.options)
    }

    private func part(from title: String, to next: String...) -> ArraySlice<String> {
        guard let start = lines.firstIndex(of: title) else { return [] }
        return lines[(start + 1)...].prefix { line in !next.contains { line.hasPrefix($0) } }
    }

    /// `.Op Fl -if-stale Ar seconds | Fl -if-ageing` has two.
    private static func options(in line: String) -> Set<String> {
        Set(line.matches(of: /\bFl (-?[A-Za-z][a-z0-9-]*)/).map { "-\($0.1)" })
    }
}
