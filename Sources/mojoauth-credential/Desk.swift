import Configuration
import HelperCommands
import Keyring
import Program
import Sensitive
import SessionStore
import WebAddress

/// What a command works with: the configuration, a profile of it, and the keyring, each opened when first asked for.
struct Desk {
    let configuration: Configuration
    let store: SessionStore

    /// - Parameter mayPrompt: false where nobody may be asked to unlock the keyring, whatever the environment allows.
    init(mayPrompt: Bool = true) throws(Complaint) {
        do throws(ConfigurationError) {
            configuration = try Configuration.load()
            let sources = configuration.sources
            Steps.note("configuration: \(sources.isEmpty ? "no file" : sources.joined(separator: ", "))")
        } catch {
            throw Complaint(error)
        }
        let policy = InteractionPolicy(caller: .person)
        store = SessionStore(client: SecretServiceClient(allowsPrompts: { mayPrompt && policy.allowsKeyringPrompt }))
    }

    /// The profile that an option names, else `MOJOAUTH_PROFILE`, else `default`.
    func profile(_ option: String?) throws(Complaint) -> Profile {
        let name = option ?? ProcessEnvironment["MOJOAUTH_PROFILE"] ?? Profile.defaultName
        guard !configuration.profileNames.isEmpty else {
            throw Complaint(
                "no configuration: \(configuration.userFile ?? "the configuration file") has no profile",
                hint:
                    "run 'mojoauth-credential configure profile --issuer https://PROJECT.auth.mojoauth.com --client-id ID'",
                exitCode: .configuration)
        }
        do throws(ConfigurationError) {
            let profile = try configuration.profile(named: name)
            Steps.note("profile \"\(name)\": client \"\(profile.clientID)\" at \(profile.issuer)")
            return profile
        } catch {
            guard error.kind == .unknownProfile else { throw Complaint(error) }
            let isOfEnvironment = option == nil && ProcessEnvironment["MOJOAUTH_PROFILE"] != nil
            let names = configuration.profileNames.joined(separator: ", ")
            throw Complaint(
                "there is no profile \"\(name)\"" + (isOfEnvironment ? ", which MOJOAUTH_PROFILE names" : ""),
                hint: isOfEnvironment
                    ? "unset MOJOAUTH_PROFILE, or set it to one of: \(names)" : "there is \(names): say --profile NAME",
                exitCode: .configuration)
        }
    }

    /// The hosts that get tokens of a profile's.
    func entries(of profile: Profile) -> [HostEntry] {
        configuration.hosts.filter { $0.profileName == profile.name }
    }

    func hosts(of profile: Profile) -> [String] { entries(of: profile).map(\.origin.description) }

    /// Turns the store's errors into what a person reads.
    func stored<Result>(_ body: (SessionStore) throws(SessionStoreError) -> Result) throws(Complaint) -> Result {
        do throws(SessionStoreError) {
            return try body(store)
        } catch {
            throw Complaint(error)
        }
    }
}
