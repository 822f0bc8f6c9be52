import Configuration
import HelperProtocol
import JSON
import Keyring
import OpenIDConnect
import Program
import Sensitive
import SessionStore
import WebAddress

/// What a helper protocol works with, each opened when it is first needed.
package struct HelperContext {
    package let configuration: Configuration
    package let store: SessionStore
    package let tokens: TokenService
    package let policy: InteractionPolicy
    private let renewal: any Renewal

    /// - Throws: ``Complaint`` for a configuration that cannot be read.
    package init(caller: InteractionPolicy.Caller, renewal: any Renewal) throws(Complaint) {
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try Configuration.load()
        } catch {
            throw Complaint(error)
        }
        let policy = InteractionPolicy(caller: caller)
        let client = SecretServiceClient(
            reading: BusSession(configuration.defaults.busSession), allowsPrompts: { policy.allowsKeyringPrompt })
        client.keepToTheEnd()
        let store = SessionStore(client: client)
        let tokens = TokenService(renewal: renewal) { (key) throws(SessionStoreError) in try store.find(key) }
        self.init(configuration: configuration, store: store, tokens: tokens, policy: policy, renewal: renewal)
    }

    package init(
        configuration: Configuration, store: SessionStore, tokens: TokenService, policy: InteractionPolicy,
        renewal: any Renewal
    ) {
        self.configuration = configuration
        self.store = store
        self.tokens = tokens
        self.policy = policy
        self.renewal = renewal
    }

    /// The entry that names one of these origins, and its profile; nil when none is ours.
    package func served(_ origins: [Origin]) throws(Complaint) -> (entry: HostEntry, profile: Profile)? {
        do throws(ConfigurationError) {
            for origin in origins {
                guard let entry = try configuration.hostEntry(for: origin) else { continue }
                return (entry, try configuration.profile(named: entry.profileName))
            }
            return nil
        } catch {
            throw Complaint(error)
        }
    }

    /// The token of an entry that names who asks.
    ///
    /// - Parameter lifetime: seconds that the protocol wants it to live on, where neither entry nor profile asks more.
    package func token(_ entry: HostEntry, _ profile: Profile, atLeast lifetime: Int = 0) throws(Complaint)
        -> ServedToken
    {
        try tokens.token(
            for: entry, profile: profile,
            minimumLifetime: entry.minimumLifetime ?? max(profile.minimumLifetime, lifetime),
            mayLogIn: { refusesLogin(entry, profile) })
    }

    /// Was this issued by the profile's issuer? By its claims, also one that was renewed meanwhile; one without claims is
    /// looked for in the login. Nothing is trusted for it: the answer only decides what is not kept.
    package func isToken(_ secret: Secret, of profile: Profile) -> Bool {
        if secret.text.flatMap({ CompactJWT($0) })?.claims["iss"]?.string == profile.issuer { return true }
        return tokens.holds(secret, profile: profile)
    }

    /// Why no login is opened for a host; nil when one may be. Where nobody reads why, the desktop tells the person.
    package func refusesLogin(_ entry: HostEntry, _ profile: Profile) -> Complaint? {
        guard let refusal = policy.refusesLogin(entry, profile) else { return nil }
        if policy.shouldNotify(profile) { renewal.notifyBehind(profile: profile.name) }
        return refusal
    }

    package var keepsForeign: Bool { configuration.defaults.foreign == .keep }
}

extension BusSession {
    init(_ chosen: Defaults.BusSession) {
        switch chosen {
        case .encrypted: self = .encrypted
        case .plain: self = .plain
        }
    }
}
