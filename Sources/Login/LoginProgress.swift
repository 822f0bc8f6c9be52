/// What a login tells while it goes on; each has a line for stderr.
package enum LoginProgress: Sendable, Equatable {
    case opened(browser: String, issuer: String)
    /// None of the browsers worked.
    case browserFailed([BrowserFailure])
    /// The person must open it; it carries state and nonce.
    case visit(url: String, forward: String)
    case waiting(redirectURI: String, seconds: Int)
    case received
}

extension LoginProgress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .opened(let browser, let issuer): "opened \(browser) to sign in at \(issuer)"
        case .browserFailed([]): "no browser was found"
        case .browserFailed(let failures): failures.map(\.description).joined(separator: "; ")
        case .visit(let url, let forward):
            "open this address in a browser on this machine:\n\(url)\n"
                + "with the browser on another machine, run this there first: \(forward)"
        case .waiting(let redirectURI, let seconds): "waiting up to \(seconds) s for the redirect to \(redirectURI)"
        case .received: "the browser came back; finishing the login"
        }
    }
}
