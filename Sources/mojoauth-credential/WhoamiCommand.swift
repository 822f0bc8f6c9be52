import Configuration
import HelperCommands
import JSON
import Keyring
import Login
import OpenIDConnect
import Options
import Program
import Sensitive
import SessionStore

enum WhoamiCommand: Command {
    struct Values: ProfileOption, JSONOption {
        var profile: String?
        var isJSON = false
        var isRefreshed = false
    }

    static let name = "whoami"
    static let summary = "Show who is signed in"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential whoami", summary: summary,
            description: """
                The ID token tells; the issuer is asked when it leaves out name or address, and with --refresh.

                Examples:
                  mojoauth-credential whoami
                  mojoauth-credential whoami --json --refresh
                """,
            rows: [
                .profile, .json,
                OptionRow("refresh", help: "Ask the issuer's userinfo endpoint anew") { values, _ in
                    values.isRefreshed = true
                },
            ])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        let desk = try Desk()
        let profile = try desk.profile(values.profile)
        guard var state = try desk.stored({ store throws(SessionStoreError) in try store.find(SessionKey(profile)) }),
            state.isAuthorized
        else { throw .loginRequired(profile: profile.name) }
        if values.isRefreshed || (!Person(state).isNamed && state.userInfo == nil) {
            state = try askIssuer(profile, desk, required: values.isRefreshed) ?? state
        }
        let person = Person(state)
        try print(values.isJSON ? try Report.text(person.json) : person.text(now: Clock.now()))
        return .success
    }

    /// Asks the userinfo endpoint and keeps its answer beside the login.
    ///
    /// - Returns: nil when the issuer has no such endpoint and it was not asked for by name.
    private static func askIssuer(_ profile: Profile, _ desk: Desk, required: Bool) throws(Complaint) -> AuthState? {
        let context = try HelperContext(caller: .person, renewal: ProcessRenewal())
        let state = try context.tokens.state(
            of: profile, minimumLifetime: profile.minimumLifetime,
            mayLogIn: { Complaint("no login is opened by whoami", exitCode: .loginRequired) })
        guard let token = state.accessToken else { throw .loginRequired(profile: profile.name) }
        let issuer = try Issuer(profile, desk: desk)
        let info: UserInfo
        do throws(UserInfoEndpoint.Failure) {
            info = try UserInfoEndpoint(profile: profile, http: issuer.http).fetch(state, token: token.secret)
        } catch {
            if error == .notOffered, !required { return nil }
            throw Complaint(error, issuer: profile.issuer)
        }
        return try desk.stored { store throws(SessionStoreError) in
            let key = SessionKey(profile)
            let lock = try SessionLock.acquire(key, .refresh, within: 10)
            defer { withExtendedLifetime(lock) {} }
            guard var current = try store.find(key), current.subject == state.subject else { return state }
            current.userInfo = info
            try store.save(current, key, in: profile.isEphemeral ? .session : .default)
            return current
        }
    }
}

/// Who signed in: the ID token's claims, and behind them what the userinfo endpoint added.
struct Person {
    private let idToken: JSONObject
    private let userInfo: UserInfo?

    init(_ state: AuthState) {
        idToken = state.claims?.claims ?? JSONObject()
        userInfo = state.userInfo
    }

    /// What is newer wins.
    private func claim(_ name: String) -> JSONValue? {
        guard let userInfo else { return idToken[name] }
        let isNewer = Double(userInfo.fetchedAt) >= idToken["iat"]?.number ?? 0
        return isNewer ? userInfo.claims[name] ?? idToken[name] : idToken[name] ?? userInfo.claims[name]
    }

    private func text(_ name: String) -> String? { claim(name)?.string }

    /// Does the login tell a name, and an address or a number?
    var isNamed: Bool { text("name") != nil && (text("email") != nil || text("phone_number") != nil) }

    var json: JSONValue {
        var object = JSONObject()
        for name in ["sub", "name", "email", "email_verified", "phone_number", "picture"] { object[name] = claim(name) }
        object["userinfo_at"] = userInfo.map { .integer($0.fetchedAt) }
        return .object(object)
    }

    func text(now: Int) -> String {
        var rows: [(name: String, text: String)] = []
        if let name = text("name") { rows.append(("name", name)) }
        if let mail = text("email") {
            let verified = claim("email_verified")?.bool.map { $0 ? " (verified)" : " (not verified)" } ?? ""
            rows.append(("e-mail", mail + verified))
        }
        if let phone = text("phone_number") { rows.append(("phone", phone)) }
        if let picture = text("picture") { rows.append(("picture", picture)) }
        rows.append(("subject", text("sub") ?? "unknown"))
        if let userInfo {
            rows.append(("asked", "the issuer, \(Moment(userInfo.fetchedAt).relative(to: now))"))
        }
        return Report.columns(rows)
    }
}
