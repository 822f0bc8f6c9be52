/// Why bytes are not a JSON value that we accept, or a value cannot be written. Never quotes the input.
package struct JSONError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        case empty
        /// Not JSON by RFC 8259, or no UTF-8, a lone surrogate, a NUL, a number out of range.
        case malformed
        case duplicateName
        case tooDeep
        case tooLarge
        /// Top level is neither an object nor an array.
        case notContainer
    }

    package var reason: Reason
    /// Byte position of the fault, where the parser knows it.
    package var position: Int?

    package init(_ reason: Reason, position: Int? = nil) {
        self.reason = reason
        self.position = position
    }

    package var description: String {
        let text =
            switch reason {
            case .empty: "empty where JSON was expected"
            case .malformed: "not valid JSON"
            case .duplicateName: "a JSON object names one member twice"
            case .tooDeep: "JSON nested deeper than \(JSONValue.maximumDepth) levels"
            case .tooLarge: "JSON larger than the limit"
            case .notContainer: "JSON, but neither an object nor an array"
            }
        return position.map { "\(text) (at byte \($0))" } ?? text
    }
}
