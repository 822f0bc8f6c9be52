import Program

/// Text made safe inside markup.
package enum HTML {
    /// For text and for attribute values in double quotes; control and reordering characters go as well.
    package static func escape(_ text: String) -> String {
        var out = ""
        for character in DisplayText.clean(text).unicodeScalars {
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.unicodeScalars.append(character)
            }
        }
        return out
    }

    package static func hidden(_ name: String, _ value: String) -> String {
        #"<input type="hidden" name="\#(escape(name))" value="\#(escape(value))">"#
    }

    package static func paragraph(_ text: String) -> String { "<p>\(escape(text))</p>" }

    /// Somebody with an initial for a picture, which nobody hears: the name follows.
    ///
    /// - Parameter detail: a second, quieter line.
    package static func person(_ name: String, detail: String? = nil) -> String {
        let initial = name.first { $0.isLetter || $0.isNumber }.map { $0.uppercased() } ?? "?"
        let second = detail.map { "<br>\(escape($0))" } ?? ""
        return """
            <p class="person"><span class="initial" aria-hidden="true">\(escape(initial))</span>\
            <span><strong>\(escape(name))</strong>\(second)</span></p>
            """
    }

    /// Names and what they stand for.
    package static func facts(_ rows: [(name: String, text: String)]) -> String {
        let items = rows.map { "<dt>\(escape($0.name))</dt><dd>\(escape($0.text))</dd>" }
        return "<dl>\(items.joined(separator: "\n"))</dl>"
    }
}
