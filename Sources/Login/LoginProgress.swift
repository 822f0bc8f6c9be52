import OpenIDConnect
import Program

/// What a login or a sign-out tells while it goes on; each has a line for stderr, or several.
package enum LoginProgress: Sendable, Equatable {
    case opened(browser: String, issuer: String)
    case openedToSignOut(browser: String, issuer: String)
    /// None of the browsers worked.
    case browserFailed([BrowserFailure])
    /// It has not asked for the address that it was to open.
    case browserSilent(browser: String, seconds: Int)
    /// The person must open it; it carries state and nonce.
    case visit(url: String, forward: String)
    /// The person must open it: an address of ours, since the issuer's would carry the ID token.
    case visitToSignOut(url: String, forward: String)
    /// The redirect's address may be pasted.
    case pasteWelcome(redirectURI: String)
    case pasteRefused(PasteError)
    case waiting(redirectURI: String, seconds: Int)
    /// Perhaps the issuer does not know the redirect URI: nothing else goes wrong as often.
    case overdue(redirectURI: String, clientID: String, issuer: String)
    case received
    /// The person must type the code.
    case enterCode(userCode: String, at: String, complete: String?, seconds: Int)
    /// The person has allowed the device.
    case codeAccepted
}

extension LoginProgress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .opened(let browser, let issuer): "opened \(browser) to sign in at \(issuer)"
        case .openedToSignOut(let browser, let issuer): "opened \(browser) to sign out at \(issuer)"
        case .browserFailed([]): "no browser was found"
        case .browserFailed(let failures): failures.map(\.description).joined(separator: "; ")
        case .browserSilent(let browser, let seconds): "\(browser) has not opened the page within \(seconds) s"
        case .visit(let url, let forward), .visitToSignOut(let url, let forward):
            "open this address in a browser on this machine:\n\(url)\n"
                + "with the browser on another machine, run this there first: \(forward)"
        case .pasteWelcome(let redirectURI):
            "or sign in anywhere and paste the address that the browser ends at here; it begins with \(redirectURI)?"
        case .pasteRefused(let error): "not taken: \(error)"
        case .waiting(let redirectURI, let seconds): "waiting up to \(seconds) s for the redirect to \(redirectURI)"
        case .overdue(let redirectURI, let clientID, let issuer):
            "still waiting; if the issuer shows an error, register exactly this redirect URI for client "
                + "\"\(clientID)\" at \(issuer): \(redirectURI)"
        case .received: "the answer has come; finishing the login"
        case .enterCode(let code, let address, let complete, let seconds):
            // Text from outside that must not look like a line of ours.
            "on any device, open \(address)\nand enter the code \(DisplayText.clean(code, limit: 64))\n"
                + (complete.map { "or open \($0) and compare the code\n" } ?? "")
                + "waiting up to \(seconds) s"
        case .codeAccepted: "the code was accepted; finishing the login"
        }
    }
}
