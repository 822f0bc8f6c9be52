import JSON
import OpenIDConnect
import Sensitive
import Testing
import WebAddress

/// T16, as far as it is pure (RFC 8628 section 3.2).
@Suite struct DeviceAuthorizationTests {
    typealias Failure = DeviceAuthorization.Failure

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// Members that differ from a good answer; nil removes one.
        let changes: [String: JSONValue?]
        var failure: Failure?
        var testDescription: String { name }

        init(_ name: String, _ changes: [String: JSONValue?], _ failure: Failure? = nil) {
            self.name = name
            self.changes = changes
            self.failure = failure
        }
    }

    static func read(_ changes: [String: JSONValue?] = [:]) throws -> DeviceAuthorization {
        var body = try Fixtures.object(
            """
            {"device_code":"d","user_code":"WDJB-MJHT","verification_uri":"https://acme.example/device",
            "verification_uri_complete":"https://acme.example/device?user_code=WDJB-MJHT","expires_in":1800,"interval":7}
            """)
        for (name, value) in changes { body[name] = value }
        return try DeviceAuthorization(body, receivedAt: Fixtures.now)
    }

    @Test func readsEverything() throws {
        let answer = try Self.read()
        #expect(answer.deviceCode == Secret("d"))
        #expect(answer.userCode == "WDJB-MJHT")
        #expect(answer.verificationURI.description == "https://acme.example/device")
        #expect(answer.completeVerificationURI?.query == "user_code=WDJB-MJHT")
        #expect(answer.expiresAt == Fixtures.now + 1800)
        #expect(answer.interval == 7)
        #expect(!"\(answer)".contains("\"d\""))
    }

    struct Interval: Sendable, CustomTestStringConvertible {
        let name: String
        let value: JSONValue?
        let seconds: Int
        var testDescription: String { name }
    }

    /// 5 s by default; never none.
    @Test(arguments: [
        Interval(name: "absent", value: nil, seconds: 5),
        Interval(name: "null", value: .null, seconds: 5),
        Interval(name: "a numeric string", value: "7", seconds: 7),
        Interval(name: "a word", value: "soon", seconds: 5),
        Interval(name: "one", value: 1, seconds: 1),
        Interval(name: "zero", value: 0, seconds: 1),
        Interval(name: "negative", value: -5, seconds: 1),
        Interval(name: "an hour", value: 3600, seconds: 3600),
    ])
    func interval(_ row: Interval) throws {
        #expect(try Self.read(["interval": row.value]).interval == row.seconds)
    }

    /// The complete address is a convenience: without a good one the person types the code.
    @Test(
        arguments: [nil, .null, 1, "", "javascript:alert(1)", "http://acme.example/device", "/device"] as [JSONValue?])
    func completeAddressMayBeMissing(value: JSONValue?) throws {
        let answer = try Self.read(["verification_uri_complete": value])
        #expect(answer.completeVerificationURI == nil && answer.userCode == "WDJB-MJHT")
    }

    @Test(arguments: [
        Row("no device code", ["device_code": nil], .missing("device_code")),
        Row("device code empty", ["device_code": ""], .malformed("device_code")),
        Row("device code a number", ["device_code": 1], .malformed("device_code")),
        Row("no user code", ["user_code": nil], .missing("user_code")),
        Row("user code empty", ["user_code": ""], .malformed("user_code")),
        Row("user code a list", ["user_code": ["A"]], .malformed("user_code")),
        Row("no address", ["verification_uri": nil], .missing("verification_uri")),
        Row("address over http", ["verification_uri": "http://acme.example/device"], .malformed("verification_uri")),
        Row("address that is no URL", ["verification_uri": "acme.example/device"], .malformed("verification_uri")),
        Row("address javascript", ["verification_uri": "javascript:alert(1)"], .malformed("verification_uri")),
        Row("no lifetime", ["expires_in": nil], .malformed("expires_in")),
        Row("lifetime zero", ["expires_in": 0], .malformed("expires_in")),
        Row("lifetime negative", ["expires_in": -1], .malformed("expires_in")),
        Row("lifetime over a day", ["expires_in": 86401], .malformed("expires_in")),
        Row("lifetime a string", ["expires_in": "soon"], .malformed("expires_in")),
    ])
    func refuses(_ row: Row) throws {
        let failure = #expect(throws: Failure.self) { try Self.read(row.changes) }
        #expect(failure == row.failure)
        #expect(failure?.description.contains("device authorization answer") == true)
    }

    @Test func requestNamesClientAndScopes() {
        let client = ClientRegistration(id: "c", authentication: .none)
        let request = DeviceAuthorization.request(client: client, scopes: ["openid", "email"])
        #expect(request.form.encoded == "scope=openid+email&client_id=c")
        #expect(request.authorization == nil)
    }
}
