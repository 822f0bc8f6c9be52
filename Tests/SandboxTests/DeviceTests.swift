import JSON
import Sandbox
import Testing
import WebAddress

/// The device flow (RFC 8628).
@Suite struct DeviceTests {
    private let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    private func start(_ client: inout TestClient) throws -> (code: String, userCode: String, page: String) {
        let form = FormFields(["client_id": "mojoauth-cli", "scope": TestClient.scopes])
        let answer = try client.object(of: try client.send("POST", "/oauth2/device", form: form))
        return (
            try #require(answer["device_code"]?.string), try #require(answer["user_code"]?.string),
            try #require(answer["verification_uri_complete"]?.string)
        )
    }

    private func poll(_ client: inout TestClient, _ code: String) throws -> LoopbackClient.Answer {
        try client.token(FormFields(["grant_type": grantType, "device_code": code, "client_id": "mojoauth-cli"]))
    }

    @Test func aPersonTypesTheCodeAndTheDeviceGetsTokensOnce() throws {
        var client = try TestClient(try RunningSandbox(["--device-interval", "0"]))
        let device = try start(&client)
        #expect(client.error(of: try poll(&client, device.code)) == "authorization_pending")
        var browser = try ScriptedBrowser(visitor: Visitor(email: "alice@example.com"))
        #expect(try browser.visit(device.page).title?.hasPrefix("Device connected") == true)
        #expect(try client.object(of: try poll(&client, device.code))["refresh_token"] != nil)
        #expect(client.error(of: try poll(&client, device.code)) == "expired_token")
    }

    @Test func denied() throws {
        var client = try TestClient(try RunningSandbox())
        let device = try start(&client)
        var browser = try ScriptedBrowser(visitor: Visitor(email: "alice@example.com", denies: true))
        #expect(try browser.visit(device.page).title?.hasPrefix("Device refused") == true)
        #expect(client.error(of: try poll(&client, device.code)) == "access_denied")
    }

    @Test func pollingTooFastSlowsDown() throws {
        var client = try TestClient(try RunningSandbox())
        let device = try start(&client)
        #expect(client.error(of: try poll(&client, device.code)) == "authorization_pending")
        #expect(client.error(of: try poll(&client, device.code)) == "slow_down")
    }

    @Test func autoConnectsAndWrongCodesAreExplained() throws {
        var client = try TestClient(try RunningSandbox(["--auto", "alice@example.com"]))
        let device = try start(&client)
        #expect(try client.send("GET", "/device?user_code=XXXX-XXXX").text.contains("No device waits"))
        // Typed without its hyphen, in small letters.
        let typed = device.userCode.lowercased().filter(\.isLetter)
        #expect(try client.send("GET", "/device?user_code=\(typed)").text.contains("Device connected"))
        #expect(try client.object(of: try poll(&client, device.code))["access_token"] != nil)
        #expect(try client.send("GET", "/device?user_code=\(typed)").text.contains("No device waits"))
    }

    @Test func badRequests() throws {
        var client = try TestClient(try RunningSandbox())
        for form in [
            FormFields(["scope": "openid"]), FormFields(["client_id": "other", "scope": "openid"]),
            FormFields(["client_id": "mojoauth-cli"]), FormFields(["client_id": "mojoauth-cli", "scope": "admin"]),
        ] {
            #expect((400...401).contains(try client.send("POST", "/oauth2/device", form: form).status))
        }
    }
}
