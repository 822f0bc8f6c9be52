import Configuration
import Foundation
import JSON
import Login
import OpenIDConnect
import Program
import Sensitive
import Testing
import WebAddress

/// Logins that fail: each with its exit code, words and page, and nothing saved.
extension LoginFlowTests {
    struct Failure: Sendable, CustomTestStringConvertible {
        var name: String
        var exitCode: ExitCode
        var words: String
        var page: String
        var bend: @Sendable (FakeIssuer) throws -> Void
        var testDescription: String { name }

        init(
            _ name: String, _ exitCode: ExitCode, _ words: String, page: String = "Sign-in failed",
            _ bend: @escaping @Sendable (FakeIssuer) throws -> Void
        ) {
            (self.name, self.exitCode, self.words, self.page, self.bend) = (name, exitCode, words, page, bend)
        }

        /// The ID token with other claims.
        init(_ name: String, _ words: String, claims: [String: JSONValue?]) {
            self.init(name, .unacceptableAnswer, words) { $0.claimChanges = claims }
        }

        /// The redirect with another query.
        init(
            _ name: String, _ exitCode: ExitCode, _ words: String, page: String = "Sign-in failed",
            query: @escaping @Sendable (_ state: String) -> String
        ) {
            self.init(name, exitCode, words, page: page) { $0.redirectQuery = { state, _ in query(state) } }
        }
    }

    static let failures: [Failure] = [
        Failure(
            "denied", .cancelled, "denied: no thanks", page: "Not signed in",
            query: { "error=access_denied&error_description=no+thanks&state=\($0)" }),
        Failure("login_required", .loginRequired, "login_required", query: { "error=login_required&state=\($0)" }),
        Failure("invalid_scope", .configuration, "invalid_scope", query: { "error=invalid_scope&state=\($0)" }),
        Failure(
            "unauthorized_client", .configuration, "unauthorized_client",
            query: { "error=unauthorized_client&state=\($0)" }),
        Failure("server_error", .temporary, "server_error", query: { "error=server_error&state=\($0)" }),
        Failure("own error", .issuerError, "<i>own</i>", query: { "error=%3Ci%3Eown%3C%2Fi%3E&state=\($0)" }),
        Failure(
            "wrong iss", .unacceptableAnswer, "evil.example",
            query: { "code=c&state=\($0)&iss=https%3A%2F%2Fevil.example" }),
        Failure("iss missing", .unacceptableAnswer, "promises") {
            $0.metadataChanges["authorization_response_iss_parameter_supported"] = true
        },
        Failure("code refused", .loginRequired, "invalid_grant") {
            $0.intercept = { $0.path == "/oauth2/token" ? .json("{\"error\":\"invalid_grant\"}", status: 400) : nil }
        },
        Failure("client refused", .configuration, "invalid_client") {
            $0.intercept = { $0.path == "/oauth2/token" ? .json("{\"error\":\"invalid_client\"}", status: 401) : nil }
        },
        Failure("token 500", .temporary, "not available") {
            $0.intercept = { $0.path == "/oauth2/token" ? TestServer.Reply(status: 500) : nil }
        },
        Failure("token HTML", .temporary, "other than JSON") {
            $0.intercept = { $0.path == "/oauth2/token" ? TestServer.Reply(status: 200, body: "<html>") : nil }
        },
        Failure("no ID token", .unacceptableAnswer, "no id_token") { $0.tokenChanges["id_token"] = .some(nil) },
        Failure("ID token is none", .unacceptableAnswer, "ID token") { $0.tokenChanges["id_token"] = "x.y.z" },
        Failure("foreign key", .unacceptableAnswer, "kid") { try $0.rotateKey() },
        Failure("keys 500", .temporary, "keys") {
            $0.intercept = { $0.path.hasSuffix("jwks.json") ? TestServer.Reply(status: 500) : nil }
        },
        Failure("keys missing", .configuration, "keys") {
            $0.intercept = { $0.path.hasSuffix("jwks.json") ? TestServer.Reply(status: 404) : nil }
        },
        Failure("keys are none", .unacceptableAnswer, "keys") {
            $0.intercept = { $0.path.hasSuffix("jwks.json") ? .json("{}") : nil }
        },
        Failure("algorithm not listed", .unacceptableAnswer, "ES256") {
            $0.metadataChanges["id_token_signing_alg_values_supported"] = ["RS256"]
        },
        Failure("wrong issuer", "issued by", claims: ["iss": "https://evil.example"]),
        Failure("wrong audience", "expected client", claims: ["aud": "other"]),
        Failure("audience without azp", "azp", claims: ["aud": ["test-client", "other"]]),
        Failure("wrong azp", "party", claims: ["azp": "other"]),
        Failure("wrong nonce", "nonce", claims: ["nonce": "x"]),
        Failure("missing nonce", "nonce", claims: ["nonce": nil]),
        Failure("expired", "check the clock", claims: ["exp": 1_000_000_000]),
        Failure("from the future", "check the clock", claims: ["iat": 4_000_000_000]),
        Failure("not yet valid", "check the clock", claims: ["nbf": 4_000_000_000]),
        Failure("no subject", "no sub", claims: ["sub": nil]),
        Failure("at_hash", "at_hash", claims: ["at_hash": "AAAA"]),
    ]

    @Test(arguments: failures)
    func failsAndSavesNothing(row: Failure) throws {
        let issuer = try FakeIssuer(loop: loop)
        try row.bend(issuer)
        let run = try login(issuer)
        let complaint = Complaint(try #require(run.error))
        #expect(complaint.exitCode == row.exitCode)
        #expect(complaint.message.contains(row.words), "\(complaint.message)")
        #expect(!complaint.message.hasSuffix("."))
        #expect(run.saved.isEmpty)
        #expect(run.page.contains("<h1>\(row.page)</h1>"))
        #expect(!run.page.contains("<i>"))
        #expect(run.seconds < 4)
    }
}
