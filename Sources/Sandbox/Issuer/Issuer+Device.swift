import JSON
import Program
import WebAddress

extension Issuer {
    static let deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"
    static let deviceLifetime = 600

    /// The device authorization endpoint (RFC 8628 section 3.1).
    func authorizeDevice(_ request: HTTPRequest) -> HTTPResponse {
        sweep()
        guard let form = request.form else { return OAuthError.invalidRequest("the body is not a form").response }
        do {
            try authenticateClient(request, form)
        } catch {
            return error.response
        }
        let scopes = (form["scope"] ?? "").split(separator: " ").map(String.init)
        guard !scopes.isEmpty, scopes.allSatisfy(Self.supportedScopes.contains) else {
            return OAuthError("invalid_scope", "a scope is missing or not supported").response
        }
        let code = Randomness.token()
        let userCode = Randomness.userCode()
        devices[code] = DeviceGrant(
            userCode: userCode, clientID: Self.clientID, scopes: scopes,
            audience: form.fields.filter { ["audience", "resource"].contains($0.name) }.map(\.value),
            expiresAt: Clock.now() + Self.deviceLifetime, interval: options.deviceInterval)
        var object = JSONObject()
        object["device_code"] = .string(code)
        object["user_code"] = .string(userCode)
        object["verification_uri"] = .string(url + "/device")
        object["verification_uri_complete"] = .string(url + "/device?" + FormFields(["user_code": userCode]).encoded)
        object["expires_in"] = .integer(Self.deviceLifetime)
        object["interval"] = .integer(options.deviceInterval)
        return json(object, of: .device)
    }

    /// The page where a person types the code (RFC 8628 section 3.3).
    func showDevice(_ request: HTTPRequest) -> HTTPResponse {
        guard let typed = request.query?["user_code"], !typed.isEmpty else { return Pages.device(remark: nil) }
        let letters = typed.uppercased().filter(\.isLetter)
        let now = Clock.now()
        let found = devices.first { $0.value.userCode.filter(\.isLetter) == letters && $0.value.expiresAt > now }
        guard let (code, device) = found, case .pending = device.answer else {
            return Pages.device(remark: "No device waits for that code.")
        }
        if let address = options.autoUser, let person = Person(email: address) {
            answerDevice(code, person: person, authenticatedAt: now)
            return Pages.notice("Device connected", "You can close this page and go back to the device.")
        }
        return startFlow(
            .device(code: code, scopes: device.scopes), session: session(of: request), browser: request)
    }

    /// Lets the device have what it asked for, or nothing.
    func answerDevice(_ code: String, person: Person?, authenticatedAt: Int) {
        guard let device = devices[code] else { return }
        devices[code]?.answer =
            person.map {
                .allowed(
                    Grant(
                        person: $0, clientID: device.clientID, scopes: device.scopes, audience: device.audience,
                        authenticatedAt: authenticatedAt))
            } ?? .denied
    }
}
