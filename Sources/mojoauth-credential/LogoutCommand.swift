import Configuration
import HelperCommands
import Login
import OpenIDConnect
import Options
import Program
import SessionStore

enum LogoutCommand: Command {
    struct Values: ProfileOption {
        var profile: String?
        var isForced = false
    }

    static let name = "logout"
    static let summary = "Revoke the login where the issuer can, and forget it"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential logout", summary: summary,
            rows: [
                .profile,
                OptionRow("force", help: "Remove also a login that cannot be read, and what was kept aside of one") {
                    values, _ in values.isForced = true
                },
            ])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        let desk = try Desk()
        let profile = try desk.profile(values.profile)
        let key = SessionKey(profile)
        let state: AuthState? =
            values.isForced
            ? (try? desk.store.find(key)) ?? nil
            : try desk.stored { store throws(SessionStoreError) in try store.find(key) }
        // The issuer first, while there still is something to tell it; what it says does not keep the login.
        let unrevoked = state.flatMap { revoke($0, Self.issuer(profile.name, desk)) }
        let removed = try desk.stored { store throws(SessionStoreError) in
            let lock = try SessionLock.acquire(key, .refresh, within: 30)
            defer { withExtendedLifetime(lock) {} }
            return try store.clear(key, force: values.isForced)
        }
        try print(
            removed ? "signed out of profile \"\(profile.name)\"\n" : "profile \"\(profile.name)\" was not signed in\n")
        guard let unrevoked else { return .success }
        throw Complaint(
            "the login is gone from the keyring, but the issuer could not be told: \(unrevoked.message)",
            hint: "its tokens end by themselves; sign out at the issuer to end them now", exitCode: .temporary)
    }

    private static func issuer(_ profile: String, _ desk: Desk) -> Result<Issuer, Complaint> {
        do throws(Complaint) {
            return .success(try Issuer(try desk.profile(profile), desk: desk))
        } catch {
            return .failure(error)
        }
    }

    /// - Returns: why a token may still be good at the issuer; nil when all is done that can be.
    private static func revoke(_ state: AuthState, _ issuer: Result<Issuer, Complaint>) -> Complaint? {
        guard state.refreshToken != nil || state.storedAccessToken != nil else { return nil }
        switch issuer {
        case .failure(let complaint): return complaint
        case .success(let issuer):
            do throws(LoginError) {
                let outcome = try Revoker(profile: issuer.profile, client: issuer.client, http: issuer.http).revoke(
                    state)
                return outcome.failures.first.map { Complaint($0.error) }
            } catch {
                return Complaint(error)
            }
        }
    }
}
