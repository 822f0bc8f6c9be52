import Configuration
import HelperCommands
import Options
import Program
import SessionStore

enum LogoutCommand: Command {
    struct Values: ProfileOption {
        var profile: String?
        var isForced = false
        var isOfAll = false
        var usesBrowser = false
        /// Seconds for the browser.
        var deadline: Int?
    }

    static let name = "logout"
    static let summary = "Revoke the login where the issuer can, and forget it"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential logout", summary: summary,
            description: """
                Examples:
                  mojoauth-credential logout
                  mojoauth-credential logout --browser         sign out at the issuer too
                  mojoauth-credential logout --all             every login in the keyring
                """,
            rows: [
                .profile,
                OptionRow("all", help: "All logins in the keyring, also of profiles that are gone") { values, _ in
                    values.isOfAll = true
                },
                OptionRow("browser", help: "Sign out at the issuer in the browser as well") { values, _ in
                    values.usesBrowser = true
                },
                OptionRow("timeout", value: "SECONDS", help: "How long to wait for the browser (default 60)") {
                    (values, text) throws(OptionFault) in
                    values.deadline = try OptionRow<Values>.seconds(text, in: 1...3600)
                },
                OptionRow("force", help: "Remove also a login that cannot be read, and what was kept aside of one") {
                    values, _ in values.isForced = true
                },
            ])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        if values.isOfAll, values.profile != nil {
            throw Complaint(
                "--all and --profile exclude each other", hint: "see 'mojoauth-credential logout --help'",
                exitCode: .usage)
        }
        if values.deadline != nil, !values.usesBrowser {
            throw Complaint(
                "--timeout goes with --browser alone", hint: "see 'mojoauth-credential logout --help'", exitCode: .usage
            )
        }
        let desk = try Desk()
        let logout = Logout(
            desk: desk, isForced: values.isForced, usesBrowser: values.usesBrowser, deadline: values.deadline)
        if values.isOfAll { return try endAll(logout) }
        let profile = try desk.profile(values.profile)
        let ending = try logout.end(SessionKey(profile), .success(profile))
        try print(
            ending.wasThere
                ? "signed out of profile \"\(profile.name)\"\n" : "profile \"\(profile.name)\" was not signed in\n")
        guard let first = ending.undone.first else { return .success }
        for complaint in ending.undone.dropFirst() { tell(complaint) }
        throw first
    }

    /// One that cannot be ended does not keep the others.
    private static func endAll(_ logout: Logout) throws(Complaint) -> ExitCode {
        var logout = logout
        let desk = logout.desk
        let kinds: [SessionKey.Kind] = logout.isForced ? [.authState, .damagedAuthState] : [.authState]
        let keys = try desk.stored { store throws(SessionStoreError) in try store.keys(kinds, unlocking: true) }
        if keys.isEmpty { try print("there is no login in the keyring\n") }
        var code = ExitCode.success
        for key in keys.sorted(by: { ($0.profile, $0.issuer) < ($1.profile, $1.issuer) }) {
            do throws(Complaint) {
                let ending = try logout.end(key, profile(of: key, desk))
                if ending.wasThere { try print("signed out of profile \"\(key.profile)\" (\(key.issuer))\n") }
                for complaint in ending.undone {
                    tell(complaint, about: key)
                    if code == .success { code = complaint.exitCode }
                    // Whoever does not wait for this browser does not wait for the next one either.
                    if complaint.exitCode == .cancelled { logout.usesBrowser = false }
                }
            } catch {
                // A login that is still there is worse than one that the issuer was not told of.
                let isUnreadable = error.exitCode == .loginRequired
                code = isUnreadable ? .temporary : error.exitCode
                let force = "remove it with 'mojoauth-credential logout --all --force'"
                tell(
                    Complaint(error.message, hint: isUnreadable ? force : error.hint, exitCode: code), about: key)
            }
        }
        return code
    }

    /// The profile that made a login, unless it names another issuer or client today.
    private static func profile(of key: SessionKey, _ desk: Desk) -> Result<Profile, Complaint> {
        do throws(ConfigurationError) {
            let profile = try desk.configuration.profile(named: key.profile)
            if SessionKey(profile) == key { return .success(profile) }
        } catch {
            if error.kind != .unknownProfile { return .failure(Complaint(error)) }
        }
        return .failure(Complaint("no profile is configured for it any more", exitCode: .temporary))
    }

    private static func tell(_ complaint: Complaint, about key: SessionKey? = nil) {
        var complaint = complaint
        if let key { complaint.message = "profile \"\(key.profile)\" (\(key.issuer)): \(complaint.message)" }
        StandardStream.writeError(complaint.lines(program: "mojoauth-credential"))
    }
}
