/// Why a message is not git's, or cannot be one. Never quotes a value: any of them may be a secret.
package struct GitProtocolError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        /// Larger than ``GitRequest/maximumSize``.
        case tooLarge
        case nulByte
        /// A line without an equals sign, which git refuses too.
        case notKeyValue(line: Int)
        /// A CR in the protocol or the host, which a careless reader takes for the end of the line.
        case carriageReturn(key: String)
        /// Not a boolean as git's configuration knows them.
        case notBoolean(key: String)
        /// `url=` without a scheme.
        case noScheme
        /// `url=` that hides a CR, LF or NUL behind percent escapes.
        case controlInURL
        /// An answer with a line that git would cut.
        case lineTooLong(key: String)
        /// An answer with a CR, LF or NUL in a value.
        case unsafeValue(key: String)
    }

    package var reason: Reason

    package var description: String {
        switch reason {
        case .tooLarge: "request larger than \(GitRequest.maximumSize) bytes"
        case .nulByte: "request with a NUL byte"
        case .notKeyValue(let line): "line \(line) of the request is not of the form key=value"
        case .carriageReturn(let key): "\(key) with a carriage return"
        case .notBoolean(let key): "\(key) is neither true nor false"
        case .noScheme: "url without a scheme"
        case .controlInURL: "url with a control character behind a percent sign"
        case .lineTooLong(let key): "\(key) longer than the \(GitResponse.maximumLine) bytes that git reads"
        case .unsafeValue(let key): "\(key) with a byte that would end its line"
        }
    }
}
