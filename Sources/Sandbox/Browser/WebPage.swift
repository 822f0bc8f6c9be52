import WebAddress

/// What the scripted browser understands of a page: its title, its texts by `id`, and its first form.
///
/// It reads the sandbox's own markup, in which attributes stand in double quotes; it is no HTML parser.
package struct WebPage: Sendable {
    struct Control: Sendable {
        /// `input` or `button`.
        var tag: String
        var attributes: [String: String]

        var name: String? { attributes["name"] }
        var id: String? { attributes["id"] }
    }

    struct Form: Sendable {
        var action: String
        var isPost: Bool
        var controls: [Control] = []
    }

    package let url: WebURL
    package private(set) var title: String?
    private(set) var form: Form?
    private var texts: [String: String] = [:]

    init(url: WebURL, markup: String) {
        self.url = url
        var rest = markup[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let tag = rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: close)...]
            take(tag, text: rest.prefix { $0 != "<" })
        }
    }

    private mutating func take(_ tag: Substring, text: Substring) {
        let name = tag.prefix { !$0.isWhitespace && $0 != "/" }.lowercased()
        let attributes = Self.attributes(tag.dropFirst(name.count))
        switch name {
        case "title": title = title ?? Self.decode(text)
        case "form" where form == nil:
            form = Form(action: attributes["action"] ?? "", isPost: attributes["method"]?.lowercased() == "post")
        case "input", "button": form?.controls.append(Control(tag: name, attributes: attributes))
        default: break
        }
        if let id = attributes["id"] { texts[id] = Self.decode(text) }
    }

    /// The text that follows the start tag with this `id`.
    func text(id: String) -> String? { texts[id] }

    private static func attributes(_ text: Substring) -> [String: String] {
        var found: [String: String] = [:]
        var rest = text
        while let start = rest.firstIndex(where: { $0.isLetter }) {
            rest = rest[start...]
            let name = rest.prefix { $0.isLetter || $0 == "-" }
            rest = rest.dropFirst(name.count)
            guard rest.hasPrefix("=\"") else {
                found[String(name)] = ""
                continue
            }
            let value = rest.dropFirst(2).prefix { $0 != "\"" }
            found[String(name)] = decode(value)
            rest = rest.dropFirst(value.count + 3)
        }
        return found
    }

    /// The references that ``HTML/escape(_:)`` writes.
    private static func decode(_ text: Substring) -> String {
        var out = ""
        var rest = text
        let references = ["&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&amp;": "&"]
        while let character = rest.first {
            if let reference = references.first(where: { rest.hasPrefix($0.key) }) {
                out += reference.value
                rest = rest.dropFirst(reference.key.count)
            } else {
                out.append(character)
                rest = rest.dropFirst()
            }
        }
        return out
    }
}
