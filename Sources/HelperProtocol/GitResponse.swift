import Sensitive

/// What a helper answers to git's `get`.
package struct GitResponse: Sendable, Equatable {
    package var username: [UInt8]?
    package var password: Secret?
    package var passwordExpiry: Int?
    package var oauthRefreshToken: Secret?
    package var authtype: [UInt8]?
    package var credential: Secret?
    package var isEphemeral = false
    /// Comes back in the next round of the same command, as ``GitRequest/ownState``.
    package var state: String?
    /// git shall ask again when this answer is refused.
    package var isContinued = false
    /// git stops at once: no other helper, no prompt.
    package var quits = false

    package init() {}

    /// A line of more bytes than this, its LF counted, is cut by git.
    package static var maximumLine: Int { 65535 }

    /// A credential that was kept.
    package init(_ stored: GitCredential) {
        username = stored.username
        password = stored.password
        passwordExpiry = stored.passwordExpiry
        oauthRefreshToken = stored.oauthRefreshToken
        authtype = stored.authtype
        credential = stored.credential
        isEphemeral = stored.isEphemeral
    }

    /// An access token: for an Authorization header where git can send one, else as the password of Basic.
    package init(token: Secret, username: String, expiry: Int?, for capabilities: GitCapabilities) {
        if capabilities.contains(.authtype) {
            authtype = Array("Bearer".utf8)
            credential = token
            isEphemeral = true
        } else {
            self.username = Array(username.utf8)
            password = token
            passwordExpiry = expiry
        }
    }

    /// The answer that keeps git from asking anybody else.
    package static var quit: GitResponse {
        var response = GitResponse()
        response.quits = true
        return response
    }

    /// Answer to the action `capability`.
    package static let capabilityAnnouncement = "version 0\ncapability authtype\ncapability state\n"

    /// The whole answer in git's order, cut down to what the caller can do: empty, so a miss, when nothing is left.
    ///
    /// - Throws: ``GitProtocolError`` `.lineTooLong` or `.unsafeValue`; then there is no answer at all.
    package func serialized(for capabilities: GitCapabilities) throws(GitProtocolError) -> [UInt8] {
        let hasType = capabilities.contains(.authtype) && authtype != nil && credential != nil
        let hasPassword = password != nil
        var lines = GitLines()
        if hasType || hasPassword {
            let hasState = capabilities.contains(.state) && state != nil
            if hasType { try lines.append("capability[]", "authtype") }
            if hasState { try lines.append("capability[]", "state") }
            if hasType {
                if let authtype { try lines.append("authtype", authtype) }
                if let credential { try lines.append("credential", credential) }
                if isEphemeral { try lines.append("ephemeral", "1") }
            }
            if let username { try lines.append("username", username) }
            if let password { try lines.append("password", password) }
            if let oauthRefreshToken { try lines.append("oauth_refresh_token", oauthRefreshToken) }
            if let passwordExpiry { try lines.append("password_expiry_utc", String(passwordExpiry)) }
            if hasState, let state {
                if isContinued { try lines.append("continue", "1") }
                try lines.append("state[]", GitRequest.statePrefix + Array(state.utf8))
            }
        }
        if quits { try lines.append("quit", "1") }
        return lines.bytes
    }
}
