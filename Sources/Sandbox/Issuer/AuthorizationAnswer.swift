import WebAddress

/// The authorization response on its way to the client (RFC 6749 section 4.1.2, RFC 9207).
struct AuthorizationAnswer {
    var redirectURI: String
    var fields: FormFields
    var mode: AuthorizationRequest.ResponseMode

    /// The redirect URI with the response in its query; a query it has stays.
    var location: String {
        redirectURI + (redirectURI.contains("?") ? "&" : "?") + fields.encoded
    }
}
