import CGLib
import Program

/// One row of a command's options: what the parser, `--help`, the completions and the manual's check are made from.
package struct OptionRow<Values> {
    package var long: String
    package var short: Character?
    /// Name of the value in the help (`SECONDS`); nil for a flag.
    package var value: String?
    package var help: String
    /// The values that there are, for completion; empty where any is good.
    package var choices: [String] = []
    /// Puts the value (empty for a flag) where it belongs; throws a text that names what is wrong with it.
    package var apply: (inout Values, String) throws(OptionFault) -> Void

    package init(
        _ long: String, short: Character? = nil, value: String? = nil, help: String,
        apply: @escaping (inout Values, String) throws(OptionFault) -> Void
    ) {
        self.long = long
        self.short = short
        self.value = value
        self.help = help
        self.apply = apply
    }
}

extension OptionRow {
    /// The same row with the values that there are.
    package func choosing(_ choices: [String]) -> OptionRow {
        var row = self
        row.choices = choices
        return row
    }

    package var summary: OptionSummary {
        OptionSummary(long: long, short: short, value: value, help: help, choices: choices)
    }
}

/// A row without its effect: what completions are made from.
package struct OptionSummary: Sendable {
    package let long: String
    package let short: Character?
    package let value: String?
    package let help: String
    package let choices: [String]
}

/// What is wrong with an option's value, in words.
package struct OptionFault: Error, Sendable {
    package var text: String
    package init(_ text: String) { self.text = text }
}

/// The options of one command, parsed by GLib's option parser.
package struct OptionTable<Values> {
    /// Shown in the usage line: `mojoauth-credential login`.
    package var command: String
    /// What follows the options in the usage line: `[URL]`.
    package var parameters: String
    /// One sentence under the usage line.
    package var summary: String
    /// Text below the options: examples.
    package var description: String
    package var rows: [OptionRow<Values>]

    package init(
        command: String, parameters: String = "", summary: String, description: String = "", rows: [OptionRow<Values>]
    ) {
        self.command = command
        self.parameters = parameters
        self.summary = summary
        self.description = description
        self.rows = rows
    }

    /// Parses `arguments` (without the program's name) into `values`.
    ///
    /// - Returns: the words that are no options, in order.
    /// - Throws: ``Complaint`` with exit code 64.
    package func parse(_ arguments: [String], into values: inout Values) throws(Complaint) -> [String] {
        let run = ParserRun(lookup: { name in
            rows.first { "--\($0.long)" == name || $0.short.map { "-\($0)" } == name }?.long
        })
        // GLib takes `--flag=no` for the flag alone.
        for word in arguments.prefix(while: { $0 != "--" }) {
            guard let flag = rows.first(where: { $0.value == nil && word.hasPrefix("--\($0.long)=") }) else { continue }
            throw usage("--\(flag.long) takes no value")
        }
        let words = separatingShortValues(arguments)
        let rest = try withContext(run, collectsRest: true) { (context) throws(Complaint) -> [String] in
            var vector = makeVector([command] + words)
            defer { g_strfreev(vector) }
            var failure: UnsafeMutablePointer<GError>?
            guard g_option_context_parse_strv(context, &vector, &failure) != 0 else {
                let text = failure.map { String(cString: $0.pointee.message) } ?? "not an option of this command"
                g_clear_error(&failure)
                throw usage(text, hint: suggestion(for: arguments))
            }
            return run.rest
        }
        for (long, value) in run.found {
            guard let row = rows.first(where: { $0.long == long }) else { continue }
            do {
                try row.apply(&values, value)
            } catch {
                throw usage("--\(long): \(error.text)")
            }
        }
        return rest
    }

    /// `-pwork` as `-p work`, which POSIX takes for the same and GLib's parser does not.
    private func separatingShortValues(_ arguments: [String]) -> [String] {
        let valued = rows.filter { $0.value != nil }
        var separated: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" { return separated + [word] + rest }
            if valued.contains(where: { "--\($0.long)" == word || $0.short.map { "-\($0)" } == word }) {
                // Whatever comes next is its value.
                separated += [word] + (rest.popFirst().map { [$0] } ?? [])
            } else if valued.contains(where: { $0.short.map { word.hasPrefix("-\($0)") } ?? false }) {
                separated += [String(word.prefix(2)), String(word.dropFirst(2))]
            } else {
                separated.append(word)
            }
        }
        return separated
    }

    /// The text of `--help`.
    package func help() -> String {
        withContext(ParserRun(lookup: { _ in nil })) { context in
            guard let text = g_option_context_get_help(context, 1, nil) else { return "" }
            defer { g_free(text) }
            return String(cString: text)
        }
    }

    /// "did you mean" for the first long option that is none of ours.
    private func suggestion(for arguments: [String]) -> String? {
        for word in arguments.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
            let name = String(word.dropFirst(2).prefix { $0 != "=" })
            if rows.contains(where: { $0.long == name }) { continue }
            return Suggestion.nearest(to: name, among: rows.map(\.long)).map { "did you mean \"--\($0)\"?" }
        }
        return nil
    }

    private func usage(_ text: String, hint: String? = nil) -> Complaint {
        Complaint(text, hint: hint ?? "see '\(command) --help'", exitCode: .usage)
    }

    private func withContext<Result, Failure: Error>(
        _ run: ParserRun, collectsRest: Bool = false, _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        g_set_prgname(command)
        guard let context = g_option_context_new(parameters.isEmpty ? nil : parameters) else {
            fatalError("g_option_context_new returned nothing")
        }
        defer { g_option_context_free(context) }
        g_option_context_set_help_enabled(context, 0)
        g_option_context_set_summary(context, summary)
        if !description.isEmpty { g_option_context_set_description(context, description) }
        // Only a group, not the main entries, carries user data.
        let group = g_option_group_new("main", "", "", Unmanaged.passUnretained(run).toOpaque(), nil)
        let texts = rows.map { row in
            (strdup(row.long), strdup(row.help), row.value.map { (name: String) in strdup(name) } ?? nil)
        }
        defer { for (long, help, value) in texts { free(long); free(help); free(value) } }
        var entries = zip(rows, texts).map { row, text in
            var entry = GOptionEntry()
            entry.long_name = UnsafePointer(text.0)
            entry.short_name = row.short?.asciiValue.map { gchar(bitPattern: $0) } ?? 0
            // FILENAME, or a value beyond ASCII fails without setlocale; NO_ARG, or a flag eats the next word.
            let flags = row.value == nil ? G_OPTION_FLAG_NO_ARG : G_OPTION_FLAG_FILENAME
            entry.flags = gint(flags.rawValue)
            entry.arg = G_OPTION_ARG_CALLBACK
            entry.arg_data = unsafeBitCast(optionFound, to: gpointer.self)
            entry.description = UnsafePointer(text.1)
            entry.arg_description = UnsafePointer(text.2)
            return entry
        }
        // Has GLib hand over the words that are no options: it alone knows which "--" ends the options and which is
        // a value or a word. Not for the help, whose usage line would name it.
        let remaining = strdup("")
        defer { free(remaining) }
        if collectsRest {
            var entry = GOptionEntry()
            entry.long_name = UnsafePointer(remaining)
            entry.flags = gint(G_OPTION_FLAG_FILENAME.rawValue)
            entry.arg = G_OPTION_ARG_CALLBACK
            entry.arg_data = unsafeBitCast(optionFound, to: gpointer.self)
            entries.append(entry)
        }
        entries.append(GOptionEntry())
        g_option_group_add_entries(group, entries)
        g_option_context_set_main_group(context, group)
        return try withExtendedLifetime(run) { () throws(Failure) -> Result in try body(context) }
    }
}

/// What GLib's parser met, in order.
private final class ParserRun {
    let lookup: (String) -> String?
    var found: [(long: String, value: String)] = []
    var rest: [String] = []

    init(lookup: @escaping (String) -> String?) {
        self.lookup = lookup
    }
}

private let optionFound:
    @convention(c) (
        UnsafePointer<gchar>?, UnsafePointer<gchar>?, gpointer?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> gboolean = { name, value, data, _ in
        guard let name, let data else { return 0 }
        let run = Unmanaged<ParserRun>.fromOpaque(data).takeUnretainedValue()
        let text = value.map { String(cString: $0) } ?? ""
        if name.pointee == 0 {
            run.rest.append(text)
            return 1
        }
        guard let long = run.lookup(String(cString: name)) else { return 0 }
        run.found.append((long, text))
        return 1
    }

/// A vector that GLib owns and may shorten.
private func makeVector(_ words: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    let builder = g_strv_builder_new()
    defer { g_strv_builder_unref(builder) }
    for word in words { g_strv_builder_add(builder, word) }
    return g_strv_builder_end(builder)
}
