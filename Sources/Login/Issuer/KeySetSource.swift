import JOSE
import JSON
import OpenIDConnect
import WebAddress

/// The issuer's keys, fetched when the first token is verified and once more when a token names a key that is new.
package final class KeySetSource {
    private let url: WebURL
    private let http: HTTPClient
    private var keys: KeySet?
    private var mayRefetch = true

    package init(_ url: WebURL, http: HTTPClient) {
        self.url = url
        self.http = http
    }

    /// Fetches the keys if that has not been done yet.
    package func prepare() throws(IDTokenFailure) {
        if keys == nil { keys = try fetch() }
    }

    /// Verifies a token's signature.
    ///
    /// - Parameter allowed: algorithms that the metadata lists.
    package func verify(
        _ token: String, allowed: Set<SignatureAlgorithm>
    ) throws(IDTokenFailure) -> VerifiedToken {
        try prepare()
        do throws(JOSEError) {
            if let keys { return try keys.verify(token, allowed: allowed) }
        } catch {
            // The issuer may have rotated its keys since. Once: a stranger's token must not make us fetch for ever.
            guard mayRefetch, Self.isMissingKey(error) else { throw .signature(error) }
        }
        mayRefetch = false
        let renewed = try fetch()
        keys = renewed
        do {
            return try renewed.verify(token, allowed: allowed)
        } catch {
            throw .signature(error)
        }
    }

    private static func isMissingKey(_ error: JOSEError) -> Bool {
        switch error {
        case .unknownKey, .noSingleKey(fitting: 0): true
        default: false
        }
    }

    private func fetch() throws(IDTokenFailure) -> KeySet {
        let document: JSONObject
        do {
            document = try http.document(at: url)
        } catch {
            throw .keySetUnavailable(error)
        }
        do {
            return try KeySet(decoding: document)
        } catch {
            throw .keySet(error)
        }
    }
}
