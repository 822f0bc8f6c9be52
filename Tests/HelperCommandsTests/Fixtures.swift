import Configuration
import HelperCommands
import HelperProtocol
import Keyring
import OpenIDConnect
import Program
import Sensitive
import SessionStore
import Testing
import WebAddress

/// What the tables share: a configuration of text, and a login that stands in no keyring.
enum Fixtures {
    static let issuer = "https://acme.example"
    static let token = "access-token"
    static let now: NumericDate = 1_700_000_000

    static func profile() throws -> Profile {
        Profile(name: "default", issuer: issuer, issuerURL: try #require(WebURL(issuer)), clientID: "cli")
    }

    static func login() -> AuthState {
        var state = AuthState(
            issuer: issuer, clientID: "cli", redirectURI: "http://127.0.0.1:1/callback",
            tokenEndpoint: "\(issuer)/token", loggedInAt: now)
        state.storedAccessToken = .init(secret: Secret(token), receivedAt: now, expiresAt: now + 3600)
        state.refreshToken = Secret("refresh-token")
        return state
    }

    /// Nothing of it is to be reached: whoever is no host of ours is not asked about (`foreign=ignore`).
    static func context(
        hosts: String, caller: InteractionPolicy.Caller, login: AuthState? = login(), renewal: any Renewal = NoRenewal()
    ) throws -> HelperContext {
        let text = """
            [profile default]
            issuer=\(issuer)
            client-id=cli

            [defaults]
            foreign=ignore

            \(hosts)
            """
        let policy = InteractionPolicy(
            caller: caller, variable: { _ in nil }, hasTerminal: { false }, gitSetting: { nil },
            isAbandoned: { _ in false })
        return HelperContext(
            configuration: try Configuration(texts: [("config", text)]),
            store: SessionStore(client: SecretServiceClient(allowsPrompts: { false })),
            tokens: TokenService(renewal: renewal, now: { now }) { (_) throws(SessionStoreError) in login },
            policy: policy, renewal: renewal)
    }
}

/// Renewal that must not be asked for.
struct NoRenewal: Renewal {
    func refresh(profile: String, target: TokenTarget, minimumLifetime: Int) throws(Complaint) -> AuthState {
        throw Complaint("unexpected refresh", exitCode: .temporary)
    }

    func notifyBehind(profile: String) { Issue.record("unexpected notification") }
    func refreshBehind(profile: String, target: TokenTarget) { Issue.record("unexpected refresh") }

    func login(profile: String) throws(Complaint) { throw Complaint("unexpected login", exitCode: .temporary) }
}
