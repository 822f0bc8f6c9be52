import CGLib

/// Which login: a profile of the user's at one client of one issuer. Another issuer or client is another login.
package struct SessionKey: Sendable, Hashable {
    package let profile: String
    package let issuer: String
    package let clientID: String

    package init(profile: String, issuer: String, clientID: String) {
        self.profile = profile
        self.issuer = issuer
        self.clientID = clientID
    }

    /// What an item under this key is.
    package enum Kind: String, Sendable {
        case authState = "auth-state"
        case damagedAuthState = "auth-state-damaged"
        case clientSecret = "client-secret"
    }

    /// Always these five: gnome-keyring replaces the first item whose attributes are a superset of the new ones.
    package func attributes(_ kind: Kind) -> [String: String] {
        [
            "application": SessionStore.application, "kind": kind.rawValue, "profile": profile, "issuer": issuer,
            "client_id": clientID,
        ]
    }

    /// The name of the lock files: the fields in hex, so that none can leave the folder or tell what it is about.
    var lockName: String {
        let joined = [issuer, clientID, profile].joined(separator: "\n")
        guard let digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, joined, gssize(joined.utf8.count)) else {
            return "session"
        }
        defer { g_free(digest) }
        return String(cString: digest)
    }
}
