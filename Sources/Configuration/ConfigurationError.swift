/// Why a configuration cannot be used, or not be written. Quotes values: a configuration holds no secret.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        /// The file cannot be opened or read, or is larger than the limit.
        case unreadable
        /// Somebody else could have written the file: owner, mode, kind of file.
        case untrusted
        /// `MOJOAUTH_CONFIG` names no absolute path.
        case badVariable
        /// Not a key file: a line that is none, a byte order mark, not UTF-8.
        case malformed
        /// A repeated group or key, or two entries for one origin.
        case ambiguous
        case missingKey
        case invalidValue
        /// A profile is asked for, or named by a host, that no file has.
        case unknownProfile
        case unwritable
        /// What was to be written makes no profile or host that could be used.
        case unacceptable
    }

    package var kind: Kind
    package var file: String
    /// Counted from 1; nil when the fault has no line.
    package var line: Int?
    /// Lower case, no final period.
    package var text: String

    package init(_ kind: Kind, file: String, line: Int? = nil, _ text: String) {
        self.kind = kind
        self.file = file
        self.line = line
        self.text = text
    }

    /// `FILE:LINE: TEXT`.
    package var description: String {
        if kind == .unacceptable { return text }
        return line.map { "\(file):\($0): \(text)" } ?? "\(file): \(text)"
    }
}
