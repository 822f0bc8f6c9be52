import HelperProtocol
import WebAddress

/// What git writes to a helper. The credential in it is answered, and kept in either layout, and comes back the same.
enum GitReading {
    static func run(_ bytes: [UInt8]) {
        guard let request = try? GitRequest(parsing: bytes) else { return }
        check(bytes.count <= GitRequest.maximumSize, "a request above the limit was read")
        let credential = request.credential
        answer(credential)
        keep(credential)
        keepTyped(credential)
        check(credential.matches(credential), "a credential does not match itself")
        check(credential.isBlank || credential.erases(credential), "a credential does not erase itself")
        if let origin = credential.origin {
            let again = Origin(scheme: origin.scheme, authority: origin.authority)
            check(again == origin, "\(origin) is another origin when it is read again")
        }
        check(request.ownState == nil || !request.states.isEmpty, "a state from nowhere")
    }

    private static func answer(_ credential: GitCredential) {
        guard let written = try? GitResponse(credential).serialized(for: [.authtype, .state]), !written.isEmpty else {
            return
        }
        guard let again = try? GitRequest(parsing: written).credential else {
            return check(false, "an answer of ours cannot be read")
        }
        check(again.username == credential.username, "another username")
        check(again.password == credential.password, "another password")
        check(again.passwordExpiry == credential.passwordExpiry, "another expiry")
        check(again.oauthRefreshToken == credential.oauthRefreshToken, "another refresh token")
        check(again.credential == nil || again.credential == credential.credential, "another authorization")
        let lines = written.split(separator: 0x0A)
        check(lines.allSatisfy { $0.count < GitResponse.maximumLine }, "git would cut a line")
    }

    private static func keep(_ credential: GitCredential) {
        guard let attributes = GitStoredItem.attributes(for: credential),
            let secret = GitStoredItem.secret(for: credential)
        else { return }
        let again = GitStoredItem.credential(attributes: attributes, secret: secret)
        check(again.hasAddress(of: credential), "kept under another address")
        check(again.password == credential.password, "another password was kept")
        check(again.passwordExpiry == credential.passwordExpiry, "another expiry was kept")
        check(again.oauthRefreshToken == credential.oauthRefreshToken, "another refresh token was kept")
        check(!GitStoredItem.label(for: credential).isEmpty, "no label")
    }

    private static func keepTyped(_ credential: GitCredential) {
        guard GitTypedItem.attributes(for: credential) != nil, GitTypedItem.searchAttributes(for: credential) != nil,
            let secret = GitTypedItem.secret(for: credential)
        else { return }
        guard let again = GitTypedItem.credential(secret: secret) else {
            return check(false, "what was kept cannot be read")
        }
        check(again.hasAddress(of: credential), "kept under another address")
        check(again.authtype == credential.authtype, "another authtype was kept")
        check(again.credential == credential.credential, "another authorization was kept")
        check(again.password == credential.password, "another password was kept")
        check(again.oauthRefreshToken == credential.oauthRefreshToken, "another refresh token was kept")
    }
}
