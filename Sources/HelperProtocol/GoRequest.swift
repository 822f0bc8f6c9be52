import WebAddress

/// A command of Go's `GOAUTH`: called without a URL before anything is fetched, and with one after a refusal; answered
/// by the URLs that headers are for, and these headers.
package struct GoRequest: CredentialRequest {
    package static let usage = "[URL]"
    /// Go tells of what a command said only with `-x`.
    package let caller = RequestCaller.silentProgram

    /// None in the first call: Go asks again, by its URL, for the one server that wants a token.
    package let server: AskedServer?
    /// The server as the URL spells it: Go looks for it letter by letter, and knows no default port.
    private let prefix: String

    /// The refusal stands on standard input; what it says decides nothing.
    package static func source(_ arguments: [String]) throws(RequestFault) -> RequestSource {
        guard arguments.count <= 1 else { throw .usage }
        return .arguments
    }

    package init(arguments: [String], input: [UInt8]) throws(RequestFault) {
        let url = arguments.first ?? ""
        let server = AskedServer(url: url)
        // Go takes no other scheme.
        self.server = server?.origin.scheme == "https" ? server : nil
        let start = url.utf8.place(of: "://".utf8)?.upperBound ?? url.endIndex
        prefix = "https://\(String(url.unicodeScalars[start...].prefix { !"/?#".unicodeScalars.contains($0) }))"
    }

    package func answer(_ token: ServedToken) throws(RequestFault) -> [UInt8] {
        Array("\(prefix)\n\nAuthorization: \(try token.bearer())\n\n".utf8)
    }

    package var noToken: NoTokenAnswer { .bytes([]) }
}
