import Configuration
import Login
import OpenIDConnect
import Program
import SessionStore

/// The profile's issuer, reached over one HTTP client.
struct Issuer {
    let profile: Profile
    let client: ClientRegistration
    let http: HTTPClient

    init(_ profile: Profile, desk: Desk) throws(Complaint) {
        self.profile = profile
        do throws(HTTPSetupError) {
            http = try HTTPClient(HTTPSettings(profile), loop: EventLoop())
        } catch {
            throw Complaint(LoginError.setup(error))
        }
        let needsSecret = profile.clientAuthentication != .none
        let secret =
            needsSecret
            ? try desk.stored { store throws(SessionStoreError) in try store.clientSecret(SessionKey(profile)) } : nil
        guard let client = ClientRegistration(profile: profile, secret: secret) else {
            throw Complaint(
                "profile \"\(profile.name)\" says client-auth=\(profile.clientAuthentication.rawValue), but there is no client secret in the keyring",
                hint: "store it with 'mojoauth-credential configure profile \(profile.name) --client-secret-stdin'",
                exitCode: .configuration)
        }
        self.client = client
    }
}
