import JSON
import Sensitive
import WebAddress

/// The answer to a device authorization request (RFC 8628 section 3.2).
package struct DeviceAuthorization: Sendable, Equatable {
    package let deviceCode: Secret
    /// What the person types; shown even beside the complete address.
    package let userCode: String
    package let verificationURI: WebURL
    package let completeVerificationURI: WebURL?
    package let expiresAt: NumericDate
    /// Seconds between two polls.
    package let interval: Int

    package enum Failure: Error, Sendable, Equatable {
        case missing(String)
        case malformed(String)
    }

    package init(_ body: JSONObject, receivedAt now: NumericDate) throws(Failure) {
        deviceCode = Secret(try Self.text(body, "device_code"))
        userCode = try Self.text(body, "user_code")
        guard let address = WebURL(try Self.text(body, "verification_uri")), address.origin.isTrustworthy else {
            throw .malformed("verification_uri")
        }
        verificationURI = address
        completeVerificationURI = body["verification_uri_complete"]?.string.flatMap { WebURL($0) }
            .flatMap { $0.origin.isTrustworthy ? $0 : nil }
        guard let lifetime = Self.seconds(body["expires_in"]), (1...86400).contains(lifetime) else {
            throw .malformed("expires_in")
        }
        expiresAt = now + lifetime
        interval = max(Self.seconds(body["interval"]) ?? 5, 1)
    }

    /// A number, or one in a string, as at the token endpoint.
    private static func seconds(_ value: JSONValue?) -> Int? {
        value?.integer ?? value?.string.flatMap { Int($0) }
    }

    private static func text(_ body: JSONObject, _ name: String) throws(Failure) -> String {
        guard let value = body[name] else { throw .missing(name) }
        guard let text = value.string, !text.isEmpty else { throw .malformed(name) }
        return text
    }

    /// The form that asks for one.
    package static func request(client: ClientRegistration, scopes: [String]) -> (
        form: FormFields, authorization: Secret?
    ) {
        var form = FormFields(["scope": scopes.joined(separator: " ")])
        let authorization = client.authenticate(&form)
        return (form, authorization)
    }
}

extension DeviceAuthorization.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let name): "the device authorization answer has no \(name)"
        case .malformed(let name): "\(name) in the device authorization answer is malformed"
        }
    }
}
