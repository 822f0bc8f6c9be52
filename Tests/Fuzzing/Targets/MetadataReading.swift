import JSON
import OpenIDConnect
import WebAddress

/// An issuer's discovery document.
enum MetadataReading {
    private static let issuer = "https://issuer.example"

    static func run(_ bytes: [UInt8]) {
        guard let document = (try? JSONValue(parsing: bytes))?.object else { return }
        write(document)
        // By its own name too, so that more inputs come past the first check.
        for issuer in [issuer, document["issuer"]?.string ?? ""] { read(document, issuer) }
    }

    private static func read(_ document: JSONObject, _ issuer: String) {
        do throws(MetadataError) {
            let metadata = try ProviderMetadata(document, issuer: issuer, overrides: [:])
            check(metadata.issuer == issuer, "another issuer")
            for endpoint in ProviderMetadata.Endpoint.allCases {
                guard let url = metadata[endpoint] else { continue }
                check(url.origin.isTrustworthy, "\(url) may not see a token")
                check(WebURL(url.description) == url, "\(url) is another address when it is read again")
            }
            if let url = WebURL(issuer) { _ = ProviderMetadata.location(issuer: url) }
            check(!metadata.idTokenSigningAlgorithms.isEmpty, "no algorithm is left")
        } catch {
            check(!error.description.isEmpty, "an error without words")
        }
    }

    /// What was parsed and is written again is the same.
    static func write(_ object: JSONObject) {
        for layout in [JSONValue.Layout.compact, .indented] {
            guard let written = try? JSONValue.object(object).serialized(layout),
                let again = try? JSONValue(parsing: written, maximumSize: .max)
            else { return check(false, "what was parsed cannot be written") }
            check(again == .object(object), "another value when it is written")
        }
    }

    static func example() throws -> ProviderMetadata {
        try ProviderMetadata(
            JSONObject([
                .init(name: "issuer", value: .string(issuer)),
                .init(name: "authorization_endpoint", value: .string(issuer + "/authorize")),
                .init(name: "token_endpoint", value: .string(issuer + "/token")),
                .init(name: "jwks_uri", value: .string(issuer + "/jwks.json")),
            ]), issuer: issuer, overrides: [:])
    }
}
