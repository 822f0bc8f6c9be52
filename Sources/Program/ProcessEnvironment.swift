import Glibc

/// The environment of this process, read only.
package enum ProcessEnvironment {
    /// The value of a variable; nil when it is unset or empty.
    package static subscript(name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// All `NAME=value` entries but those whose name starts with one of `prefixes`.
    package static func entries(withoutPrefixes prefixes: [String]) -> [String] {
        var result: [String] = []
        var cursor = Glibc.environ
        while let entry = cursor.pointee {
            let text = String(cString: entry)
            if !prefixes.contains(where: { text.hasPrefix($0) }) { result.append(text) }
            cursor += 1
        }
        return result
    }
}
