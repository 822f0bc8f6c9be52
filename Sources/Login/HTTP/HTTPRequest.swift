import Sensitive
import WebAddress

/// One request of ours: a GET, or a POST of a form (RFC 6749 section 4.1.3 and its kin).
package struct HTTPRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    package var method: Method
    package var url: WebURL
    /// Value of the Authorization header.
    package var authorization: Secret?
    /// `application/x-www-form-urlencoded`.
    package var form: Secret?

    package static func get(_ url: WebURL, authorization: Secret? = nil) -> HTTPRequest {
        HTTPRequest(method: .get, url: url, authorization: authorization)
    }

    package static func post(_ url: WebURL, form: FormFields, authorization: Secret? = nil) -> HTTPRequest {
        HTTPRequest(method: .post, url: url, authorization: authorization, form: Secret(form.encoded))
    }
}
