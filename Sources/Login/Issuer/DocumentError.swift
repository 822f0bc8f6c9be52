import JSON
import WebAddress

/// Why one of the issuer's documents (metadata, key set, user information) could not be had.
package struct DocumentError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case http(HTTPError)
        case notFound
        /// We follow none: what the issuer says of itself must lie where the standard or the metadata puts it.
        case redirected(status: Int)
        /// The issuer asks to come back later.
        case unavailable(status: Int, retryAfter: Int?)
        case status(Int)
        /// A page for people, or a captive portal's.
        case html
        case json(JSONError)
        case notObject
    }

    package var url: WebURL
    package var reason: Reason

    package init(_ reason: Reason, _ url: WebURL) {
        self.reason = reason
        self.url = url
    }
}

extension DocumentError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .http(let error): "\(error)"
        case .notFound: "there is nothing at \(url)"
        case .redirected(let status): "\(url) redirects elsewhere (status \(status)), which is not followed"
        case .unavailable(let status, _): "\(url) is not available at the moment (status \(status))"
        case .status(let status): "\(url) answered with status \(status)"
        case .html: "\(url) answered with a web page instead of JSON"
        case .json(let error): "\(url) did not answer with acceptable JSON: \(error)"
        case .notObject: "\(url) answered with JSON that is no object"
        }
    }
}
