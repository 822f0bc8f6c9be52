import JSON
import Sensitive

/// Cargo's credential providers, protocol version 1: JSON, a message a line.
package struct CargoRequest: CredentialRequest {
    private enum Kind: String {
        case get
        case login
        case logout
    }

    package static let usage = "--cargo-plugin"
    package static let greeting = Array("{\"v\":[1]}\n".utf8)

    /// Nil for one that a later Cargo may know.
    private let kind: Kind?
    package let purpose: RequestPurpose
    package let server: AskedServer?
    /// A provider asks on the terminal, which Cargo leaves alone.
    package let caller = RequestCaller.person

    package static func source(_ arguments: [String]) throws(RequestFault) -> RequestSource {
        guard arguments == ["--cargo-plugin"] else { throw .usage }
        return .lines
    }

    package init(arguments: [String], input: [UInt8]) throws(RequestFault) {
        let object = try JSONObject(request: input)
        guard let version = object["v"]?.integer else { throw RequestFault("v is not a number") }
        guard version == 1 else { throw RequestFault("version \(version) of the protocol is not known") }
        guard let registry = object["registry"]?.object else { throw RequestFault("registry is not an object") }
        let index = try registry.text("index-url")
        kind = Kind(rawValue: try object.text("kind"))
        server = kind == nil ? nil : AskedServer(url: Self.url(ofIndex: index))
        switch (kind, object["token"]) {
        case (.login, .string(let token)): purpose = .store(Secret(token))
        case (.login, nil), (.login, .null): purpose = .get
        case (.login, _): throw RequestFault("token is not a string")
        case (.logout, _): purpose = .forget
        default: purpose = .get
        }
    }

    /// The index of a sparse registry has a mark before its URL.
    private static func url(ofIndex index: String) -> String {
        let sparse = "sparse+"
        return index.hasPrefix(sparse) ? String(index.dropFirst(sparse.count)) : index
    }

    package func answer(_ token: ServedToken) throws(RequestFault) -> [UInt8] {
        // `cargo login` wants a login, and there is one.
        guard kind == .get else { return acknowledgement }
        // Cargo sends the token as the whole header.
        return try Self.ok([
            "kind": "get", "token": .string(try token.bearer()), "cache": "expires",
            "expiration": .integer(token.expiresAt), "operation_independent": true,
        ])
    }

    package var acknowledgement: [UInt8] { (try? Self.ok(["kind": .string((kind ?? .login).rawValue)])) ?? [] }

    /// Another provider of Cargo's list may know the registry.
    package var noToken: NoTokenAnswer {
        .bytes(Self.error(kind == nil ? "operation-not-supported" : "url-not-supported"))
    }

    package static func failure(_ message: String, hint: String?) -> [UInt8]? {
        error("other", message: message, causes: hint.map { [$0] } ?? [])
    }

    private static func ok(_ answer: JSONValue) throws(RequestFault) -> [UInt8] {
        try JSONObject(distinct: [.init(name: "Ok", value: answer)]).line()
    }

    private static func error(_ kind: String, message: String? = nil, causes: [String] = []) -> [UInt8] {
        var error = JSONObject(distinct: [.init(name: "kind", value: .string(kind))])
        if let message {
            error["message"] = .string(message)
            error["caused-by"] = .array(causes.map { .string($0) })
        }
        return (try? JSONObject(distinct: [.init(name: "Err", value: .object(error))]).line()) ?? []
    }
}
