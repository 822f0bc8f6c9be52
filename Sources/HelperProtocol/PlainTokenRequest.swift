import WebAddress

/// The token alone, for tools that read it from a program's output: pnpm's `tokenHelper`, npm's scripts and others.
package struct PlainTokenRequest: CredentialRequest {
    package static let usage = "HOST|URL"

    package let server: AskedServer?

    package static func source(_ arguments: [String]) throws(RequestFault) -> RequestSource {
        guard arguments.count == 1 else { throw .usage }
        return .arguments
    }

    /// A host without a scheme is reached by https.
    package init(arguments: [String], input: [UInt8]) throws(RequestFault) {
        guard let word = arguments.first else { throw .usage }
        server = word.utf8.place(of: "://".utf8) != nil ? AskedServer(url: word) : AskedServer(authority: word)
    }

    package func answer(_ token: ServedToken) throws(RequestFault) -> [UInt8] {
        Array("\(try token.headerText())\n".utf8)
    }

    package var noToken: NoTokenAnswer { .complaint }
}
