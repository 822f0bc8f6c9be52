import Configuration
import HelperCommands
import Keyring
import Login
import OpenIDConnect
import Program
import SessionStore

/// What to do next, in four lines: what this is, how things stand, the next command, where the rest is.
enum Guide {
    static var text: String {
        let (standing, next) = advice()
        return """
            mojoauth-credential: sign in once in the browser; git, docker and scripts take the token from the keyring.
            \(DisplayText.clean(standing))
            Next: \(DisplayText.clean(next))
            All commands: mojoauth-credential help

            """
    }

    private static func advice() -> (standing: String, next: String) {
        do throws(Complaint) {
            return try advice(at: Desk(mayPrompt: false))
        } catch {
            return ("This does not work yet: \(error.message).", error.hint ?? "run 'mojoauth-credential doctor'")
        }
    }

    private static func advice(at desk: Desk) throws(Complaint) -> (standing: String, next: String) {
        guard !desk.configuration.profileNames.isEmpty else {
            return (
                "There is no profile yet (\(desk.configuration.userFile ?? "no home for a configuration file")).",
                "mojoauth-credential configure profile"
            )
        }
        let profile = try desk.profile(nil)
        let option = profile.name == Profile.defaultName ? "" : " --profile \(profile.name)"
        let state = try desk.stored { store throws(SessionStoreError) in try store.find(SessionKey(profile)) }
        let report = StatusReport(profile: profile, state: state, hosts: [], now: Clock.now())
        guard let state, report.isLoggedIn else {
            return (
                "Profile \"\(profile.name)\" is for \(profile.issuer), and nobody is signed in.",
                "mojoauth-credential login\(option)"
            )
        }
        let person = state.person ?? state.subject ?? "somebody"
        let hosts = desk.configuration.hosts.filter { $0.profileName == profile.name }.map(\.origin.description)
        guard !hosts.isEmpty else {
            return (
                "Signed in as \(person) at \(profile.issuer), and no host takes the token yet.",
                "mojoauth-credential configure git https://HOST, or configure docker REGISTRY"
            )
        }
        return (
            "Signed in as \(person) at \(profile.issuer); the token goes to \(hosts.joined(separator: ", ")).",
            "use git, docker or 'mojoauth-credential get' as always; 'mojoauth-credential status' tells more"
        )
    }
}
