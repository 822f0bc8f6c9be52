import WebAddress

/// A command of Go's `GOAUTH`: called without a URL before anything is fetched, and with one after a refusal; answered
/// by the URLs that headers are for, and these headers.
package struct GoRequest: CredentialRequest {
    package static let usage = "[URL]"

    /// None in the first call: Go asks again, by its URL, for the one server that wants a token.
    package let server: AskedServer?

    /// The refusal stands on standard input; what it says decides nothing.
    package static func source(_ arguments: [String]) throws(RequestFault) -> RequestSource {
        guard arguments.count <= 1 else { throw .usage }
        return .arguments
    }

    package init(arguments: [String], input: [UInt8]) throws(RequestFault) {
        let server = arguments.first.flatMap { AskedServer(url: $0) }
        // Go takes no other scheme.
        self.server = server?.origin.scheme == "https" ? server : nil
    }

    package func answer(_ token: ServedToken) throws(RequestFault) -> [UInt8] {
        guard let origin = server?.origin else { return [] }
        return Array("\(origin)\n\nAuthorization: \(try token.bearer())\n\n".utf8)
    }

    package var noToken: NoTokenAnswer { .bytes([]) }
}
