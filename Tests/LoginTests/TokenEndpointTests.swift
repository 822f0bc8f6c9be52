import Login
import OpenIDConnect
import Program
import Sensitive
import Testing

@Suite struct TokenEndpointTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var exitCode: ExitCode
        var isTransient: Bool
        var response: HTTPResponse
        var testDescription: String { name }

        init(
            _ name: String, _ exitCode: ExitCode, transient: Bool = false, _ status: Int, _ body: String,
            type: String = "application/json", headers: [String: String] = [:]
        ) {
            self.name = name
            self.exitCode = exitCode
            isTransient = transient
            response = HTTPResponse(
                status: status, headers: headers.merging(["content-type": type]) { $1 }, body: Array(body.utf8))
        }
    }

    static let good = "\"access_token\":\"canary\",\"token_type\":\"Bearer\""

    static let bad: [Row] = [
        Row("invalid_grant", .loginRequired, 400, "{\"error\":\"invalid_grant\"}"),
        Row(
            "invalid_grant as 401", .loginRequired, 401, "{\"error\":\"invalid_grant\",\"error_description\":\"spent\"}"
        ),
        Row("invalid_grant in capitals is another", .issuerError, 400, "{\"error\":\"INVALID_GRANT\"}"),
        Row("invalid_client", .configuration, 401, "{\"error\":\"invalid_client\"}"),
        Row("unauthorized_client", .configuration, 400, "{\"error\":\"unauthorized_client\"}"),
        Row("invalid_scope", .configuration, 400, "{\"error\":\"invalid_scope\"}"),
        Row("invalid_request", .issuerError, 400, "{\"error\":\"invalid_request\"}"),
        Row("unsupported_grant_type", .issuerError, 400, "{\"error\":\"unsupported_grant_type\"}"),
        Row("own error", .issuerError, 403, "{\"error\":\"tenant_suspended\"}"),
        Row("error with status 200", .issuerError, 200, "{\"error\":\"tenant_suspended\"}"),
        Row("temporarily_unavailable", .temporary, transient: true, 400, "{\"error\":\"temporarily_unavailable\"}"),
        Row("slow_down", .temporary, transient: true, 400, "{\"error\":\"slow_down\"}"),
        Row("invalid_grant with 500", .temporary, transient: true, 500, "{\"error\":\"invalid_grant\"}"),
        Row("500", .temporary, transient: true, 500, ""),
        Row("502 HTML", .temporary, transient: true, 502, "<html>bad gateway", type: "text/html"),
        Row("503", .temporary, transient: true, 503, "{}", headers: ["retry-after": "30"]),
        Row("429", .temporary, transient: true, 429, "{\"error\":\"invalid_grant\"}", headers: ["retry-after": "5"]),
        Row("HTML with 200", .temporary, transient: true, 200, "<html>hotel", type: "text/html"),
        Row("HTML with 400", .temporary, transient: true, 400, "<html>firewall", type: "text/html"),
        Row("HTML with 403", .temporary, transient: true, 403, "<html>firewall", type: "text/html"),
        Row("text with 200", .temporary, transient: true, 200, "ok", type: "text/plain"),
        Row("empty 200", .temporary, transient: true, 200, ""),
        Row("a list", .temporary, transient: true, 200, "[]"),
        Row("cut JSON", .temporary, transient: true, 200, "{\"access_token\":\"canary"),
        Row("400 without a reason", .loginRequired, 400, "{}"),
        Row("401 empty", .loginRequired, 401, "", type: "text/plain"),
        Row("400 with a numeric error", .loginRequired, 400, "{\"error\":400}"),
        Row("400 with an error object", .loginRequired, 400, "{\"error\":{\"code\":\"invalid_grant\"}}"),
        Row("400 with an empty error", .loginRequired, 400, "{\"error\":\"\"}"),
        Row(
            "older interface", .loginRequired, 400,
            "{\"code\":\"MA-1\",\"message\":\"token expired\",\"description\":\"log in\"}"),
        Row("an error beside a token", .loginRequired, 200, "{\(good),\"error\":\"invalid_grant\"}"),
        Row("403 without a reason", .configuration, 403, "{}"),
        Row("404", .configuration, 404, "{}"),
        Row("405", .configuration, 405, "", type: "text/plain"),
        Row("307", .configuration, 307, "", headers: ["location": "https://evil.example/canary"]),
        Row("302 with HTML", .configuration, 302, "<html>", type: "text/html"),
        Row("a name twice", .unacceptableAnswer, 200, "{\(good),\"access_token\":\"other\"}"),
        Row(
            "deep JSON", .unacceptableAnswer, 200,
            String(repeating: "[", count: 100) + String(repeating: "]", count: 100)),
        Row("no access token", .unacceptableAnswer, 200, "{\"token_type\":\"Bearer\"}"),
        Row("empty access token", .unacceptableAnswer, 200, "{\"access_token\":\"\",\"token_type\":\"Bearer\"}"),
        Row("access token is a number", .unacceptableAnswer, 200, "{\"access_token\":1,\"token_type\":\"Bearer\"}"),
        Row(
            "access token with a line feed", .unacceptableAnswer, 200,
            "{\"access_token\":\"canary\\nx\",\"token_type\":\"Bearer\"}"),
        Row("no token type", .unacceptableAnswer, 200, "{\"access_token\":\"canary\"}"),
        Row("DPoP", .unacceptableAnswer, 200, "{\"access_token\":\"canary\",\"token_type\":\"DPoP\"}"),
        Row("expires_in is an object", .unacceptableAnswer, 200, "{\(good),\"expires_in\":{}}"),
        Row("expires_in is negative", .unacceptableAnswer, 200, "{\(good),\"expires_in\":-1}"),
        Row("expires_in is huge", .unacceptableAnswer, 200, "{\(good),\"expires_in\":99999999999}"),
        Row("expires_in is a word", .unacceptableAnswer, 200, "{\(good),\"expires_in\":\"soon\"}"),
        Row("refresh token is a number", .unacceptableAnswer, 200, "{\(good),\"refresh_token\":1}"),
    ]

    @Test(arguments: bad)
    func refuses(row: Row) throws {
        do throws(TokenEndpointError) {
            _ = try TokenEndpoint.read(row.response, receivedAt: 1000)
            Issue.record("accepted")
        } catch {
            let complaint = Complaint(.tokenEndpoint(error))
            #expect(complaint.exitCode == row.exitCode, "\(error)")
            #expect(error.isTransient == row.isTransient)
            #expect(!"\(complaint)".contains("canary"))
            #expect(!complaint.message.hasSuffix("."))
        }
    }

    @Test(arguments: [
        Row("plain", .success, 200, "{\(good),\"expires_in\":60}"),
        Row("numeric string", .success, 200, "{\(good),\"expires_in\":\"60\"}"),
        Row("a fraction", .success, 200, "{\(good),\"expires_in\":60.9}"),
        Row("date-time", .success, 200, "{\(good),\"expires_in\":\"1970-01-01T00:17:40Z\"}"),
        Row(
            "lower-case type", .success, 200,
            "{\"access_token\":\"canary\",\"token_type\":\"bearer\",\"expires_in\":60}"),
        Row("another media type", .success, 200, "{\(good),\"expires_in\":60}", type: "text/plain"),
        Row("201", .success, 201, "{\(good),\"expires_in\":60}"),
        Row("null members", .success, 200, "{\(good),\"expires_in\":60,\"refresh_token\":null,\"scope\":null}"),
    ])
    func accepts(row: Row) throws {
        let response = try TokenEndpoint.read(row.response, receivedAt: 1000)
        #expect(response.accessToken.text == "canary")
        #expect(response.expiresAt == 1060)
    }

    @Test func saysWhatTheOlderInterfaceSays() throws {
        let row = try #require(Self.bad.first { $0.name == "older interface" })
        do throws(TokenEndpointError) {
            _ = try TokenEndpoint.read(row.response, receivedAt: 0)
        } catch {
            #expect(
                Complaint(.tokenEndpoint(error)).message == "the issuer refused (status 400): token expired: log in")
        }
    }
}
