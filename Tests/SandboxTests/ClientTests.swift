import Foundation
import JSON
import Program
import Sandbox
import Testing
import WebAddress

/// The client shows its secret, where it has one.
@Suite struct ClientTests {
    private static let secret = "z/tZ9Vw+uB4ud: x"

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var basic: String?
        var posted: String?
        var clientID: String? = "mojoauth-cli"
        var isGood = false
        var testDescription: String { name }
    }

    static let sandbox = Result {
        let file = NSTemporaryDirectory() + "sandbox-tests-\(UUID().uuidString)"
        try (secret + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        return try RunningSandbox(["--auto", "alice@example.com", "--client-secret-file", file])
    }

    @Test(arguments: [
        Row(name: "basic", basic: "mojoauth-cli:\(FormFields.encode(secret))", clientID: nil, isGood: true),
        Row(name: "basic, client id posted too", basic: "mojoauth-cli:\(FormFields.encode(secret))", isGood: true),
        Row(name: "post", posted: secret, isGood: true),
        Row(name: "no secret"),
        Row(name: "wrong secret by post", posted: "guess"),
        Row(name: "wrong secret by basic", basic: "mojoauth-cli:guess"),
        Row(name: "empty secret", posted: ""),
        Row(name: "basic that was not encoded first", basic: "mojoauth-cli:\(secret)"),
        Row(name: "both ways", basic: "mojoauth-cli:\(FormFields.encode(secret))", posted: secret),
        Row(name: "basic of another client", basic: "other:\(FormFields.encode(secret))"),
        Row(name: "another client by post", posted: secret, clientID: "other"),
        Row(name: "basic without a colon", basic: "mojoauth-cli", clientID: nil),
        Row(name: "nobody", clientID: nil),
    ])
    func authenticates(_ row: Row) throws {
        var client = try TestClient(try Self.sandbox.get())
        let headers =
            row.basic.map { [(name: "Authorization", value: "Basic " + Data($0.utf8).base64EncodedString())] } ?? []
        for path in ["/oauth2/token", "/oauth2/revoke", "/oauth2/device"] {
            var form = FormFields(["token": "x", "scope": "openid"])
            if path == "/oauth2/token" {
                form = FormFields()
                for field in client.redemption(of: try client.code()).fields where field.name != "client_id" {
                    form.append(field.name, field.value)
                }
            }
            form.append("client_id", row.clientID)
            form.append("client_secret", row.posted)
            let answer = try client.send("POST", path, headers: headers, form: form)
            #expect(answer.status == (row.isGood ? 200 : 401), "\(path): \(answer.text)")
            if !row.isGood { #expect(client.error(of: answer) == "invalid_client") }
        }
    }

    @Test func theMetadataSaysSo() throws {
        var client = try TestClient(try Self.sandbox.get())
        let metadata = try client.object(of: try client.send("GET", "/.well-known/openid-configuration"))
        #expect(metadata["token_endpoint_auth_methods_supported"] == ["client_secret_basic", "client_secret_post"])
    }
}
