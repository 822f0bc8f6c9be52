import JSON

/// kubectl's exec plugins: an `ExecCredential` of the group client.authentication.k8s.io, asked for in a variable of the
/// environment and answered on standard output.
package struct KubernetesRequest: CredentialRequest {
    package static let usage = ""
    private static let variable = "KUBERNETES_EXEC_INFO"
    private static let kind = "ExecCredential"
    private static let versions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]

    /// The answer has the request's.
    private let apiVersion: String
    package let server: AskedServer?
    package let caller: RequestCaller

    package static func source(_ arguments: [String]) throws(RequestFault) -> RequestSource {
        guard arguments.isEmpty else { throw .usage }
        return .variable(variable)
    }

    package init(arguments: [String], input: [UInt8]) throws(RequestFault) {
        guard !input.isEmpty else {
            throw RequestFault(
                "\(Self.variable) is not set", hint: "kubectl sets it: name this program in users[].user.exec")
        }
        let object = try JSONObject(request: input)
        apiVersion = try object.text("apiVersion")
        guard Self.versions.contains(apiVersion) else {
            throw RequestFault(
                "apiVersion \"\(apiVersion)\" is not known",
                hint: "write apiVersion: \(Self.versions[0]) in users[].user.exec")
        }
        guard try object.text("kind") == Self.kind else { throw RequestFault("kind is not \(Self.kind)") }
        guard let spec = object["spec"]?.object else { throw RequestFault("spec is not an object") }
        switch spec["interactive"] {
        case nil, .null: caller = .program
        case .bool(let flag): caller = flag ? .person : .program
        default: throw RequestFault("spec.interactive is neither true nor false")
        }
        // Without it the token would go to whatever server the file names.
        guard let cluster = spec["cluster"]?.object else {
            throw RequestFault(
                "kubectl does not say which cluster it is for",
                hint: "write provideClusterInfo: true in users[].user.exec")
        }
        server = AskedServer(url: try cluster.text("server"))
    }

    package func answer(_ token: ServedToken) throws(RequestFault) -> [UInt8] {
        let status: JSONValue = [
            "token": .string(try token.headerText()), "expirationTimestamp": .string(token.expiryText),
        ]
        return try JSONObject(distinct: [
            .init(name: "apiVersion", value: .string(apiVersion)), .init(name: "kind", value: .string(Self.kind)),
            .init(name: "status", value: status),
        ]).line()
    }

    package var noToken: NoTokenAnswer { .complaint }
}
