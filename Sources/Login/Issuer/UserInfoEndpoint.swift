import Configuration
import JSON
import OpenIDConnect
import Program
import Sensitive

/// Asks the issuer about the person who signed in (OpenID Connect Core section 5.3).
package struct UserInfoEndpoint {
    package enum Failure: Error, Sendable, Equatable {
        case discovery(DiscoveryError)
        /// The metadata lists none.
        case notOffered
        case document(DocumentError)
        case claims(UserInfo.Failure)
    }

    private let profile: Profile
    private let http: HTTPClient

    package init(profile: Profile, http: HTTPClient) {
        self.profile = profile
        self.http = http
    }

    /// - Parameters:
    ///   - state: whose access token is shown, and whose subject the answer must be about.
    package func fetch(
        _ state: AuthState, token: Secret, now: () -> NumericDate = Clock.now
    ) throws(Failure) -> UserInfo {
        let metadata: ProviderMetadata
        do {
            metadata = try Discovery(http: http).metadata(of: profile)
        } catch {
            throw .discovery(error)
        }
        guard let url = metadata[.userinfo] else { throw .notOffered }
        let claims: JSONObject
        do {
            claims = try http.document(at: url, authorization: Secret("Bearer \(token.text ?? "")"))
        } catch {
            throw .document(error)
        }
        do {
            return try UserInfo(claims, subject: state.subject, fetchedAt: now())
        } catch {
            throw .claims(error)
        }
    }
}
