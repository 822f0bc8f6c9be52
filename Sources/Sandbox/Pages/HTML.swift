import Program

/// Text made safe inside markup.
enum HTML {
    /// For text and for attribute values in double quotes; control and reordering characters go as well.
    static func escape(_ text: String) -> String {
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

    static func hidden(_ name: String, _ value: String) -> String {
        #"<input type="hidden" name="\#(escape(name))" value="\#(escape(value))">"#
    }
}
