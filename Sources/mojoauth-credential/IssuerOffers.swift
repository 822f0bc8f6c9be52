import Configuration
import Login
import OpenIDConnect
import Program

/// What an issuer says that it can do.
struct IssuerOffers {
    private let metadata: ProviderMetadata

    init(_ metadata: ProviderMetadata) {
        self.metadata = metadata
    }

    /// Asks the issuer of a profile.
    init(of profile: Profile) throws(LoginError) {
        let http: HTTPClient
        do throws(HTTPSetupError) {
            http = try HTTPClient(HTTPSettings(profile), loop: EventLoop())
        } catch {
            throw .setup(error)
        }
        do throws(DiscoveryError) {
            metadata = try Discovery(http: http).metadata(of: profile)
        } catch {
            throw .discovery(error, issuer: profile.issuer)
        }
    }

    /// `offers userinfo, device flow`.
    var text: String {
        let names: [(ProviderMetadata.Endpoint, String)] = [
            (.userinfo, "userinfo"), (.deviceAuthorization, "device flow"), (.revocation, "revocation"),
            (.endSession, "sign-out in the browser"),
        ]
        let offered = names.filter { metadata[$0.0] != nil }.map(\.1)
        return offered.isEmpty ? "offers sign-in alone" : "offers \(offered.joined(separator: ", "))"
    }
}
