import OpenIDConnect

/// Why a pasted line is not the redirect that a login waits for. Never quotes the line: it may carry a code.
package enum PasteError: Error, Sendable, Equatable {
    /// Longer than the terminal passes on.
    case cut
    case notAddress(expected: String)
    /// Another scheme, host, port or path.
    case otherPlace(expected: String)
    case foreign(AuthorizationResponse.Foreign)
}

extension PasteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cut: "the line is longer than the \(TerminalLines.longest) bytes that a terminal passes on"
        case .notAddress(let expected): "it is no web address; the right one begins with \(expected)?"
        case .otherPlace(let expected): "the address does not begin with \(expected)?"
        case .foreign(.malformed): "the query of the address cannot be read"
        case .foreign(.repeatedParameter(let name)): "the address has the parameter \(name) twice"
        case .foreign(.noState): "the address has no state: it was not pasted whole"
        case .foreign(.wrongState): "the address belongs to another login: its state is not this one's"
        case .foreign(.empty): "the address has neither a code nor an error: it was not pasted whole"
        }
    }
}
