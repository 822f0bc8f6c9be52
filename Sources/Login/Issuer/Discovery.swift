import Configuration
import JSON
import OpenIDConnect
import WebAddress

/// Finds out where an issuer's endpoints are (OpenID Connect Discovery 1.0 section 4).
package struct Discovery {
    private let http: HTTPClient

    package init(http: HTTPClient) {
        self.http = http
    }

    /// The metadata of a profile's issuer, with the profile's own endpoints in place of the issuer's.
    ///
    /// A profile that names all that a login needs is taken at its word: nothing is fetched.
    package func metadata(of profile: Profile) throws(DiscoveryError) -> ProviderMetadata {
        guard profile.issuerURL.origin.isTrustworthy else { throw .untrustworthyIssuer(profile.issuer) }
        var overrides: [ProviderMetadata.Endpoint: WebURL] = [:]
        for (name, url) in profile.endpointOverrides { overrides[name.endpoint] = url }
        let needed: [ProviderMetadata.Endpoint] = [.authorization, .token, .keySet]
        let document =
            needed.allSatisfy { overrides[$0] != nil }
            ? nil : try fetch(ProviderMetadata.location(issuer: profile.issuerURL))
        do {
            guard let document else { return try ProviderMetadata(issuer: profile.issuer, overrides: overrides) }
            return try ProviderMetadata(document, issuer: profile.issuer, overrides: overrides)
        } catch {
            throw .metadata(error)
        }
    }

    private func fetch(_ location: WebURL) throws(DiscoveryError) -> JSONObject {
        do {
            return try http.document(at: location)
        } catch {
            throw .document(error)
        }
    }
}

extension EndpointName {
    /// The same endpoint under its name in the metadata.
    var endpoint: ProviderMetadata.Endpoint {
        switch self {
        case .authorization: .authorization
        case .token: .token
        case .userinfo: .userinfo
        case .jwks: .keySet
        case .revocation: .revocation
        case .endSession: .endSession
        case .deviceAuthorization: .deviceAuthorization
        }
    }
}
