import JSON
import WebAddress

/// What an issuer says of itself (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2), checked.
package struct ProviderMetadata: Sendable, Equatable {
    package enum Endpoint: String, Sendable, CaseIterable {
        case authorization = "authorization_endpoint"
        case token = "token_endpoint"
        case userinfo = "userinfo_endpoint"
        case keySet = "jwks_uri"
        case revocation = "revocation_endpoint"
        case endSession = "end_session_endpoint"
        case deviceAuthorization = "device_authorization_endpoint"
    }

    /// Byte for byte the configured one.
    package let issuer: String
    private let endpoints: [Endpoint: WebURL]
    package let authorizationEndpoint: WebURL
    package let tokenEndpoint: WebURL
    package let keySetURL: WebURL
    package let scopesSupported: [String]
    /// Algorithms that the issuer signs ID tokens with and that we accept; all of ours when it lists none.
    package let idTokenSigningAlgorithms: Set<SignatureAlgorithm>
    /// `iss` comes with every authorization response (RFC 9207 section 3).
    package let sendsIssuerInAuthorizationResponse: Bool

    package subscript(endpoint: Endpoint) -> WebURL? { endpoints[endpoint] }

    /// Where the metadata of an issuer lies (OpenID Connect Discovery 1.0 section 4): a trailing slash goes only here.
    package static func location(issuer: WebURL) -> WebURL {
        var base = issuer.path
        while base.hasSuffix("/") { base.removeLast() }
        return issuer.replacing(path: base + "/.well-known/openid-configuration")
    }

    /// Checks a discovery document.
    ///
    /// - Parameters:
    ///   - issuer: as configured; the document's must be equal byte for byte.
    ///   - overrides: endpoints from the configuration, which win over the document's.
    package init(_ document: JSONObject, issuer: String, overrides: [Endpoint: WebURL]) throws(MetadataError) {
        guard let found = document["issuer"]?.string else { throw .missing("issuer") }
        guard found.hasSameBytes(as: issuer) else { throw .issuerMismatch(configured: issuer, found: found) }
        var endpoints = overrides
        for endpoint in Endpoint.allCases where endpoints[endpoint] == nil {
            guard let value = document[endpoint.rawValue], value != .null else { continue }
            guard let url = value.string.flatMap({ WebURL($0) }) else { throw .malformed(endpoint.rawValue) }
            endpoints[endpoint] = url
        }
        if let methods = try Self.list(document, "code_challenge_methods_supported"), !methods.contains("S256") {
            throw .noS256
        }
        if let types = try Self.list(document, "response_types_supported"), !types.contains("code") {
            throw .noCodeFlow
        }
        var algorithms = Set(SignatureAlgorithm.allCases)
        if let listed = try Self.list(document, "id_token_signing_alg_values_supported") {
            algorithms = Set(listed.compactMap(SignatureAlgorithm.init))
            guard !algorithms.isEmpty else { throw .noAcceptableAlgorithm(listed) }
        }
        try self.init(
            issuer: issuer, endpoints: endpoints, scopesSupported: try Self.list(document, "scopes_supported") ?? [],
            algorithms: algorithms,
            sendsIssuer: document["authorization_response_iss_parameter_supported"]?.bool ?? false)
    }

    private static func list(_ document: JSONObject, _ name: String) throws(MetadataError) -> [String]? {
        guard let value = document[name], value != .null else { return nil }
        guard let strings = value.strings else { throw .malformed(name) }
        return strings
    }

    /// Metadata of an issuer without discovery: every endpoint comes from the configuration.
    package init(issuer: String, overrides: [Endpoint: WebURL]) throws(MetadataError) {
        try self.init(
            issuer: issuer, endpoints: overrides, scopesSupported: [], algorithms: Set(SignatureAlgorithm.allCases),
            sendsIssuer: false)
    }

    private init(
        issuer: String, endpoints: [Endpoint: WebURL], scopesSupported: [String],
        algorithms: Set<SignatureAlgorithm>, sendsIssuer: Bool
    ) throws(MetadataError) {
        guard let issuerURL = WebURL(issuer) else { throw .malformed("issuer") }
        guard issuerURL.origin.isTrustworthy else {
            throw .untrustworthyEndpoint("issuer", issuerURL.origin.description)
        }
        let issuerIsLoopback = issuerURL.origin.host.isLoopback
        for endpoint in Endpoint.allCases {
            guard let url = endpoints[endpoint] else { continue }
            let trusted = url.origin.scheme == "https" || (issuerIsLoopback && url.origin.isTrustworthy)
            guard trusted, url.userInfo == nil, url.fragment == nil else {
                throw .untrustworthyEndpoint(endpoint.rawValue, url.origin.description)
            }
        }
        guard let authorization = endpoints[.authorization] else { throw .missing(Endpoint.authorization.rawValue) }
        guard let token = endpoints[.token] else { throw .missing(Endpoint.token.rawValue) }
        guard let keySet = endpoints[.keySet] else { throw .missing(Endpoint.keySet.rawValue) }
        self.issuer = issuer
        self.endpoints = endpoints
        authorizationEndpoint = authorization
        tokenEndpoint = token
        keySetURL = keySet
        self.scopesSupported = scopesSupported
        idTokenSigningAlgorithms = algorithms
        sendsIssuerInAuthorizationResponse = sendsIssuer
    }

    /// The scopes to ask for: those of the profile, and `offline_access` when the issuer lists it (OpenID Connect Core
    /// section 11).
    package func scopes(asked: [String]) -> [String] {
        let offline = "offline_access"
        return scopesSupported.contains(offline) && !asked.contains(offline) ? asked + [offline] : asked
    }
}
