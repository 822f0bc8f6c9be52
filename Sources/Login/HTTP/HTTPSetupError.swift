/// Why no request can even be tried.
package enum HTTPSetupError: Error, Sendable, Equatable {
    /// The file is missing, not readable, or holds no certificate.
    case caFile(String, why: String)
    case pin(String)
    /// The variable that names a proxy which is none; its value may hold a password.
    case proxy(variable: String)
}

extension HTTPSetupError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .caFile(let path, let why): "cannot read certificates from \(path): \(why)"
        case .pin(let text): "pin-sha256 '\(text)' is not the base64 form of a SHA-256"
        case .proxy(let variable): "the environment variable \(variable) does not name a proxy"
        }
    }
}
