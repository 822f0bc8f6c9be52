import Configuration
import JSON
import Keyring
import OpenIDConnect
import Program

/// What `status` says, in words or as JSON.
struct StatusReport {
    let profile: Profile
    var state: AuthState?
    let hosts: [String]
    let now: Int
    /// Where the login lies; nil when there is none, or nobody asked.
    var place: CollectionFacts?
    /// There is a login, in a keyring that is locked.
    var isUnreadable = false

    init(profile: Profile, state: AuthState?, hosts: [String], now: Int) {
        self.profile = profile
        self.state = state
        self.hosts = hosts
        self.now = now
    }

    var isLoggedIn: Bool {
        guard let state else { return false }
        return state.isAuthorized && !state.exceedsSession(profile.maximumSession, at: now)
    }

    private func claim(_ name: String) -> String? { state?.claims?.claims[name]?.string }

    var text: String {
        var rows = [(name: "profile", text: profile.name), ("issuer", profile.issuer)]
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
            } else if !isLoggedIn {
                rows.append(("ended by", "max-session of the profile: sign in again"))
            }
        } else {
            rows.append(("login", isUnreadable ? "there is one, and the keyring is locked" : "none"))
        }
        if let place { rows.append(("stored in", Self.words(for: place))) }
        rows.append(
            (
                "hosts",
                hosts.isEmpty
                    ? "none yet: see 'mojoauth-credential configure git --help'" : hosts.joined(separator: ", ")
            ))
        return Report.columns(rows)
    }

    /// `keyring "Login" (unlocked)`.
    static func words(for place: CollectionFacts) -> String {
        let name =
            place.isEphemeral ? "the keyring's memory, until the desktop session ends" : "keyring \"\(place.label)\""
        return name + (place.isLocked ? " (locked)" : place.isEphemeral ? "" : " (unlocked)")
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
        if token.expiresAt > now { return "good until " + moment(token.expiresAt) }
        let next = state.refreshToken == nil ? "" : "; renewed at the next use"
        return "expired " + moment(token.expiresAt) + next
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
        if isUnreadable { object["logged_in"] = .null }
        if let place {
            object["keyring"] = .object(
                JSONObject([
                    .init(name: "collection", value: .string(place.label)),
                    .init(name: "locked", value: .bool(place.isLocked)),
                    .init(name: "ephemeral", value: .bool(place.isEphemeral)),
                ]))
        }
        object["hosts"] = .array(hosts.map(JSONValue.string))
        return try Report.text(.object(object))
    }
}
