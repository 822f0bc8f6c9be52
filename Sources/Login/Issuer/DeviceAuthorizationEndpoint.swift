import JSON
import OpenIDConnect
import WebAddress

/// Asks the issuer for a code that the person types on another device (RFC 8628 section 3.1).
struct DeviceAuthorizationEndpoint {
    let url: WebURL
    let http: HTTPClient
    let now: () -> NumericDate

    /// - Parameter parameters: extra ones; none takes the place of one of the protocol's.
    func send(
        client: ClientRegistration, scopes: [String], parameters: FormFields
    ) throws(LoginError) -> DeviceAuthorization {
        var (form, authorization) = DeviceAuthorization.request(client: client, scopes: scopes)
        for field in parameters.fields where !AuthorizationRequest.protocolParameters.contains(field.name) {
            form.append(field.name, field.value)
        }
        do throws(TokenEndpointError) {
            let response: HTTPResponse
            do {
                response = try http.send(.post(url, form: form, authorization: authorization))
            } catch {
                throw .http(error)
            }
            let body = try TokenEndpoint.object(response)
            if body["device_code"] == nil, let error = OAuthError(body) {
                throw .oauth(error, status: response.status)
            }
            do {
                return try DeviceAuthorization(body, receivedAt: now())
            } catch {
                throw .deviceAuthorization(error)
            }
        } catch {
            throw .tokenEndpoint(error)
        }
    }
}
