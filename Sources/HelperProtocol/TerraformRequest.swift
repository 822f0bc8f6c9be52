import JSON
import Sensitive

/// The credentials helpers of Terraform and OpenTofu: `get`, `store` and `forget`, each with a host.
package struct TerraformRequest: CredentialRequest {
    package static let usage = "get|store|forget HOST"

    package let purpose: RequestPurpose
    /// Terraform names hosts alone, with their port, and reaches all of them by https.
    package let server: AskedServer?

    /// Words that `credentials_helper` has in its `args` stand before these two.
    package static func source(_ arguments: [String]) throws(RequestFault) -> RequestSource {
        guard arguments.count >= 2 else { throw .usage }
        switch arguments[arguments.count - 2] {
        case "get", "forget": return .arguments
        case "store": return .standardInput
        default: throw .usage
        }
    }

    package init(arguments: [String], input: [UInt8]) throws(RequestFault) {
        let source = try Self.source(arguments)
        server = AskedServer(authority: arguments[arguments.count - 1])
        if source == .standardInput {
            purpose = .store(Secret(try JSONObject(request: input).text("token")))
        } else {
            purpose = arguments[arguments.count - 2] == "get" ? .get : .forget
        }
    }

    package func answer(_ token: ServedToken) throws(RequestFault) -> [UInt8] {
        try JSONObject(distinct: [.init(name: "token", value: .string(try token.headerText()))]).line()
    }

    /// What was never kept is forgotten already; what is not kept is no success.
    package var noToken: NoTokenAnswer {
        switch purpose {
        case .get: .bytes(Array("{}\n".utf8))
        case .store: .complaint
        case .forget: .bytes([])
        }
    }
}
