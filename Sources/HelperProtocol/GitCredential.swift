import Sensitive
import WebAddress

/// A credential as git describes it. In a request it is a pattern too: what is absent may be anything, what is empty is
/// literally empty. Values are the bytes that came, in whatever encoding.
package struct GitCredential: Sendable, Equatable {
    package var `protocol`: [UInt8]?
    /// With its port, as spelled.
    package var host: [UInt8]?
    package var path: [UInt8]?
    package var username: [UInt8]?
    package var password: Secret?
    /// The scheme of an Authorization header whose value is ``credential``.
    package var authtype: [UInt8]?
    package var credential: Secret?
    package var oauthRefreshToken: Secret?
    /// Seconds since the epoch; nil: none is known.
    package var passwordExpiry: Int?
    /// Never to be kept.
    package var isEphemeral = false

    package init() {}

    /// What `get` and `store` need: a protocol, and a host or a path.
    package var namesServer: Bool {
        !(`protocol` ?? []).isEmpty && (host != nil || path != nil)
    }

    /// Whether there is anything to keep: a username and a password, or an authorization of another type.
    package var isStorable: Bool {
        namesServer && !isEphemeral
            && ((username != nil && password != nil) || (authtype != nil && credential != nil))
    }

    /// Whether the pattern is empty, so that erasing by it would erase everything.
    package var isBlank: Bool {
        `protocol` == nil && host == nil && path == nil && username == nil
    }

    /// Whether two stored credentials are of one user at one place.
    package func hasAddress(of other: GitCredential) -> Bool {
        `protocol` == other.protocol && host == other.host && path == other.path && username == other.username
    }

    /// Whether a stored credential is one that this pattern asks for: protocol and host equal, path and username
    /// absent here or equal.
    package func matches(_ stored: GitCredential) -> Bool {
        `protocol` == stored.protocol && host == stored.host && (path == nil || path == stored.path)
            && (username == nil || username == stored.username)
    }

    /// Whether `erase` with this pattern is about a stored credential: it matches, and the password and credential
    /// that were sent are the stored ones. So a newer password survives the rejection of the one before it.
    package func erases(_ stored: GitCredential) -> Bool {
        !isBlank && matches(stored) && (password == nil || password == stored.password)
            && (credential == nil || credential == stored.credential)
    }

    /// Where the credential would be sent; nil when protocol and host are no origin. The protocol is git's word, not a
    /// URL's scheme: `HTTPS` is another one.
    package var origin: Origin? {
        guard let `protocol`, let host, let scheme = String(validating: `protocol`, as: UTF8.self),
            let authority = String(validating: host, as: UTF8.self), scheme == scheme.lowercased()
        else { return nil }
        return Origin(scheme: scheme, authority: authority)
    }
}
