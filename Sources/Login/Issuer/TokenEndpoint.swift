import JSON
import OpenIDConnect
import WebAddress

/// Sends token requests (RFC 6749 section 3.2) and sorts what comes back.
package struct TokenEndpoint {
    private let http: HTTPClient
    private let url: WebURL
    private let now: () -> NumericDate

    package init(_ url: WebURL, http: HTTPClient, now: @escaping () -> NumericDate) {
        self.url = url
        self.http = http
        self.now = now
    }

    /// Sends one request, once: a request that may have arrived is not repeated, since its grant may be spent.
    package func send(_ request: TokenRequest) throws(TokenEndpointError) -> TokenResponse {
        let response: HTTPResponse
        do {
            response = try http.send(.post(url, form: request.form, authorization: request.authorization))
        } catch {
            throw .http(error)
        }
        return try Self.read(response, receivedAt: now())
    }

    package static func read(
        _ response: HTTPResponse, receivedAt now: NumericDate
    ) throws(TokenEndpointError) -> TokenResponse {
        let body = try object(response)
        // Some answer 200 to everything; an error wins over a token beside it.
        if let error = OAuthError(body) { throw .oauth(error, status: response.status) }
        do {
            return try TokenResponse(body, receivedAt: now)
        } catch {
            throw .unacceptable(error)
        }
    }

    /// The JSON object of an answer that is a success.
    static func object(_ response: HTTPResponse) throws(TokenEndpointError) -> JSONObject {
        if let refusal = TokenEndpointError(refusal: response) { throw refusal }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: response.body)
        } catch  where error.reason == .duplicateName || error.reason == .tooDeep {
            throw .malformedJSON(error)
        } catch {
            throw .notJSON(status: response.status)
        }
        guard let body = value.object else { throw .notJSON(status: response.status) }
        return body
    }
}
