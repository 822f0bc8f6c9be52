import WebAddress

/// One login: where it is made, as which client, and how it is kept. The group `[profile NAME]`.
package struct Profile: Sendable, Equatable {
    package enum ClientAuthentication: String, Sendable, CaseIterable {
        /// A public client.
        case none
        /// `client_secret_basic`.
        case basic
        /// `client_secret_post`.
        case post
    }

    package var name: String
    /// As spelled: it is compared byte for byte with the metadata and with `iss`.
    package var issuer: String
    package var issuerURL: WebURL
    package var clientID: String
    package var clientAuthentication = ClientAuthentication.none
    package var scopes = ["openid", "profile", "email"]
    /// Tried in order; never empty.
    package var redirectURIs = RedirectURI.defaults
    /// Extra parameters of the authorization request, in the file's order; none is a protocol parameter.
    package var parameters = FormFields()
    package var connection: String?
    package var uiLocales: [String] = []
    package var acrValues: [String] = []
    package var prompt: [String] = []
    /// Seconds.
    package var maxAge: Int?
    package var endpointOverrides: [EndpointName: WebURL] = [:]
    /// Seconds that a token must still live to be handed out.
    package var minimumLifetime = 60
    /// Seconds after which a login must be made again.
    package var maximumSession: Int?
    /// Clock tolerance in seconds.
    package var leeway = 60
    /// Absolute path of the certificates that are trusted instead of the system's.
    package var caFile: String?
    /// SHA-256 of public keys (SubjectPublicKeyInfo), base64 with padding; none: no pinning.
    package var pins: [String] = []
    /// Argument list of the browser's command; an argument holds `%s` where the URL goes.
    package var browser: [String]?
    /// Keep the login in the keyring's memory-only collection.
    package var isEphemeral = false
    /// Where the profile stands.
    package var file = ""
    package var line = 0

    package static let defaultName = "default"

    package init(name: String, issuer: String, issuerURL: WebURL, clientID: String) {
        self.name = name
        self.issuer = issuer
        self.issuerURL = issuerURL
        self.clientID = clientID
    }
}
