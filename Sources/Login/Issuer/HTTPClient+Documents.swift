import JSON
import Sensitive
import WebAddress

extension HTTPClient {
    /// Fetches a JSON object.
    func document(at url: WebURL, authorization: Secret? = nil) throws(DocumentError) -> JSONObject {
        let response: HTTPResponse
        do {
            response = try send(.get(url, authorization: authorization))
        } catch {
            throw DocumentError(.http(error), url)
        }
        switch response.status {
        case 200: break
        case 300...399: throw DocumentError(.redirected(status: response.status), url)
        case 404, 410: throw DocumentError(.notFound, url)
        case 429, 500...599:
            throw DocumentError(.unavailable(status: response.status, retryAfter: response.retryAfter), url)
        default: throw DocumentError(.status(response.status), url)
        }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: response.body)
        } catch {
            throw DocumentError(response.isHTML ? .html : .json(error), url)
        }
        guard let object = value.object else { throw DocumentError(.notObject, url) }
        return object
    }
}
