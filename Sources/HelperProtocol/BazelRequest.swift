import JSON

/// Bazel's credential helpers: `get`, with an object that names a URI on standard input, answered by headers.
package struct BazelRequest: CredentialRequest {
    package static let usage = "get"
    /// Bazel ends a helper after 10 seconds (`--credential_helper_timeout`): what went wrong must be said before.
    package static let patience = 8.0
    package let caller = RequestCaller.hurriedProgram

    package let server: AskedServer?

    package static func source(_ arguments: [String]) throws(RequestFault) -> RequestSource {
        guard arguments == ["get"] else { throw .usage }
        return .standardInput
    }

    package init(arguments: [String], input: [UInt8]) throws(RequestFault) {
        server = AskedServer(url: try JSONObject(request: input).text("uri"))
    }

    package func answer(_ token: ServedToken) throws(RequestFault) -> [UInt8] {
        let headers: JSONValue = ["Authorization": [.string(try token.bearer())]]
        return try JSONObject(distinct: [
            .init(name: "headers", value: headers), .init(name: "expires", value: .string(token.expiryText)),
        ]).line()
    }

    /// No headers to send.
    package var noToken: NoTokenAnswer { .bytes(Array("{}\n".utf8)) }
}
