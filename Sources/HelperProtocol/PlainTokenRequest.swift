import WebAddress

/// The token alone, for scripts that read it from a program's output; or, with `--bearer`, the value of a header, which
/// pnpm's `tokenHelper` wants.
package struct PlainTokenRequest: CredentialRequest {
    package static let usage = "[--bearer] HOST|URL"
    private static let bearer = "--bearer"

    package let server: AskedServer?
    private let isHeader: Bool

    package static func source(_ arguments: [String]) throws(RequestFault) -> RequestSource {
        guard arguments.count == (arguments.first == bearer ? 2 : 1) else { throw .usage }
        return .arguments
    }

    /// A host without a scheme is reached by https.
    package init(arguments: [String], input: [UInt8]) throws(RequestFault) {
        guard let word = arguments.last else { throw .usage }
        isHeader = arguments.count == 2
        server = word.utf8.place(of: "://".utf8) != nil ? AskedServer(url: word) : AskedServer(authority: word)
    }

    package func answer(_ token: ServedToken) throws(RequestFault) -> [UInt8] {
        Array("\(isHeader ? try token.bearer() : try token.headerText())\n".utf8)
    }

    package var noToken: NoTokenAnswer { .complaint }
}
