import Configuration
import HelperCommands
import JSON
import Keyring
import OpenIDConnect
import Options
import Program
import SessionStore
import WebAddress

enum StatusCommand: Command {
    struct Values: ProfileOption, JSONOption {
        var profile: String?
        var isJSON = false
    }

    static let name = "status"
    static let summary = "Show the login of a profile, without a secret"
    static let defaults = Values()

    static var table: OptionTable<Values> {
        OptionTable(
            command: "mojoauth-credential status", summary: summary + ". Exit code 77 when there is none.",
            rows: [.profile, .json])
    }

    static func run(_ values: Values, _ words: [String]) throws(Complaint) -> ExitCode {
        try noWords(words)
        let desk = try Desk()
        let profile = try desk.profile(values.profile)
        let state = try desk.stored { store throws(SessionStoreError) in try store.find(SessionKey(profile)) }
        let report = StatusReport(
            profile: profile, state: state, hosts: hosts(of: profile, desk.configuration), now: Clock.now())
        try print(values.isJSON ? try report.json() : report.text)
        return report.isLoggedIn ? .success : .loginRequired
    }

    private static func hosts(of profile: Profile, _ configuration: Configuration) -> [String] {
        configuration.hosts.filter { $0.profileName == profile.name }.map { $0.origin.description }
    }
}

/// What `status` says, in words or as JSON.
struct StatusReport {
    let profile: Profile
    let state: AuthState?
    let hosts: [String]
    let now: Int

    var isLoggedIn: Bool {
        guard let state else { return false }
        return state.isAuthorized && !state.exceedsSession(profile.maximumSession, at: now)
    }

    private func claim(_ name: String) -> String? { state?.claims?.claims[name]?.string }

    var text: String {
        var rows = [("profile", profile.name), ("issuer", profile.issuer)]
        if let state {
            rows.append(("person", person))
            rows.append(("signed in", moment(state.loggedInAt)))
            rows.append(("token", token(state)))
            rows.append(
                ("refresh token", state.refreshToken == nil ? "none: a new login is needed when the token ends" : "yes")
            )
            if let scope = state.scope { rows.append(("scope", scope)) }
            if let error = state.authorizationError {
                rows.append(("ended by", [error.code, error.text].compactMap(\.self).joined(separator: ": ")))
            }
        } else {
            rows.append(("login", "none"))
        }
        rows.append(
            (
                "hosts",
                hosts.isEmpty
                    ? "none yet: see 'mojoauth-credential configure git --help'" : hosts.joined(separator: ", ")
            ))
        let width = rows.map { $0.0.count }.max() ?? 0
        return rows.map { row in
            "\(row.0):\(String(repeating: " ", count: width - row.0.count + 1))\(DisplayText.clean(row.1))\n"
        }.joined()
    }

    private var person: String {
        let mail = claim("email").map { "<\($0)>" }
        let parts = [claim("name"), mail].compactMap(\.self)
        return parts.isEmpty ? claim("sub") ?? "unknown" : parts.joined(separator: " ")
    }

    private func moment(_ seconds: Int) -> String {
        let moment = Moment(seconds)
        return "\(moment.local) (\(moment.relative(to: now)))"
    }

    private func token(_ state: AuthState) -> String {
        guard let token = state.accessToken else { return "none" }
        if state.needsRefresh { return "refused by a host; renewed at the next use" }
        return (token.expiresAt > now ? "good until " : "expired ") + moment(token.expiresAt)
    }

    func json() throws(Complaint) -> String {
        var object = JSONObject()
        object["profile"] = .string(profile.name)
        object["issuer"] = .string(profile.issuer)
        object["client_id"] = .string(profile.clientID)
        object["logged_in"] = .bool(isLoggedIn)
        if let state {
            for name in ["sub", "name", "email"] { object[name] = claim(name).map(JSONValue.string) }
            object["logged_in_at"] = .integer(state.loggedInAt)
            object["expires_at"] = state.accessToken.map { .integer($0.expiresAt) }
            object["needs_refresh"] = .bool(state.needsRefresh)
            object["has_refresh_token"] = .bool(state.refreshToken != nil)
            object["scope"] = state.scope.map(JSONValue.string)
            object["error"] = state.authorizationError.map { .string($0.code) }
        }
        object["hosts"] = .array(hosts.map(JSONValue.string))
        return try Report.text(.object(object))
    }
}

/// JSON that a command prints.
enum Report {
    static func text(_ value: JSONValue) throws(Complaint) -> String {
        do throws(JSONError) {
            return String(decoding: try value.serialized(.indented), as: UTF8.self) + "\n"
        } catch {
            throw Complaint("cannot write the report: \(error.description)", exitCode: .protocolFailure)
        }
    }
}
