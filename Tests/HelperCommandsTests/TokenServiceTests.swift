import Configuration
import HelperCommands
import HelperProtocol
import OpenIDConnect
import Program
import Sensitive
import SessionStore
import Testing

/// The fresh-token action of auth-state's table, with a renewal that a test scripts.
@Suite struct TokenServiceTests {
    /// Renews as it is told, and counts.
    private final class ScriptedRenewal: Renewal {
        enum Refresh {
            case renewed(AuthState)
            case failed(ExitCode)
        }

        private let refreshed: Refresh
        var refreshes = 0
        var behind = 0
        var logins = 0

        init(_ refreshed: Refresh) {
            self.refreshed = refreshed
        }

        func refresh(profile: String, target: TokenTarget, minimumLifetime: Int) throws(Complaint) -> AuthState {
            refreshes += 1
            switch refreshed {
            case .renewed(let state): return state
            case .failed(let code): throw Complaint("the refresh failed", exitCode: code)
            }
        }

        func notifyBehind(profile: String) {}
        func refreshBehind(profile: String, target: TokenTarget) { behind += 1 }

        func login(profile: String) throws(Complaint) { logins += 1 }
    }

    /// A login whose token was granted for `lifetime` seconds and lives for `left` more.
    private static func login(lifetime: Int = 100, left: Int, refreshable: Bool = true) -> AuthState {
        var state = Fixtures.login()
        let expiry = Fixtures.now + left
        state.storedAccessToken = .init(secret: Secret("old"), receivedAt: expiry - lifetime, expiresAt: expiry)
        if !refreshable { state.refreshToken = nil }
        return state
    }

    private static var renewed: AuthState {
        var state = Fixtures.login()
        state.storedAccessToken?.secret = Secret("new")
        return state
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var left: Int
        var refreshable = true
        /// Nil: the refresh brings a token.
        var failure: ExitCode?
        /// The token that is served; nil: an error.
        let served: String?
        let refreshes: Int
        var behind = 0
        var exitCode = ExitCode.success
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(name: "fresh", left: 90, served: "old", refreshes: 0),
        Row(name: "in the last fifth", left: 19, served: "old", refreshes: 0, behind: 1),
        Row(name: "stale", left: 5, served: "new", refreshes: 1),
        Row(name: "expired", left: -1, served: "new", refreshes: 1),
        Row(name: "stale, passing failure, still valid", left: 5, failure: .temporary, served: "old", refreshes: 1),
        Row(
            name: "expired, passing failure", left: -1, failure: .temporary, served: nil, refreshes: 1,
            exitCode: .temporary),
        Row(
            name: "stale, configuration error", left: 5, failure: .configuration, served: nil, refreshes: 1,
            exitCode: .configuration),
        Row(
            name: "stale, refused for good", left: 5, failure: .loginRequired, served: nil, refreshes: 1,
            exitCode: .loginRequired),
        Row(name: "stale, no refresh token, still valid", left: 5, refreshable: false, served: "old", refreshes: 0),
        Row(
            name: "expired, no refresh token", left: -1, refreshable: false, served: nil, refreshes: 0,
            exitCode: .loginRequired),
    ])
    func serves(_ row: Row) throws {
        let state = Self.login(left: row.left, refreshable: row.refreshable)
        let renewal = ScriptedRenewal(row.failure.map { .failed($0) } ?? .renewed(Self.renewed))
        let service = TokenService(renewal: renewal, now: { Fixtures.now }) { (_) throws(SessionStoreError) in state }
        let none = Complaint("no login here", exitCode: .loginRequired)
        do throws(Complaint) {
            let served = try service.state(of: profile(), minimumLifetime: 10, mayLogIn: { none })
            #expect(served.accessToken?.secret.text == row.served)
        } catch {
            #expect(row.served == nil && error.exitCode == row.exitCode)
        }
        #expect(renewal.refreshes == row.refreshes && renewal.behind == row.behind && renewal.logins == 0)
    }

    private func profile() throws(Complaint) -> Profile {
        guard let profile = try? Fixtures.profile() else { throw Complaint("no profile", exitCode: .configuration) }
        return profile
    }

    /// A refused token is not handed out again, however long it would live.
    @Test func aRefusedTokenIsNotServedWhenItsRenewalFails() throws {
        var state = Self.login(left: 90)
        state.needsRefresh = true
        let renewal = ScriptedRenewal(.failed(.temporary))
        let service = TokenService(renewal: renewal, now: { Fixtures.now }) { (_) throws(SessionStoreError) in state }
        let error = #expect(throws: Complaint.self) {
            try service.state(of: Fixtures.profile(), minimumLifetime: 10, mayLogIn: { nil })
        }
        #expect(error?.exitCode == .temporary && renewal.refreshes == 1)
    }

    @Test func goesOnToALoginWhereOneMayBeOpened() throws {
        let renewal = ScriptedRenewal(.failed(.loginRequired))
        var found: [AuthState?] = [nil, Self.renewed]
        let service = TokenService(renewal: renewal, now: { Fixtures.now }) { (_) throws(SessionStoreError) in
            found.removeFirst()
        }
        let served = try service.state(of: Fixtures.profile(), minimumLifetime: 10, mayLogIn: { nil })
        #expect(served.accessToken?.secret.text == "new" && renewal.logins == 1)
    }

    @Test func aLoginOlderThanMaxSessionIsMadeAgain() throws {
        var profile = try Fixtures.profile()
        profile.maximumSession = 10
        var state = Self.login(left: 90)
        state.loggedInAt = Fixtures.now - 11
        let service = TokenService(renewal: NoRenewal(), now: { Fixtures.now }) { (_) throws(SessionStoreError) in state
        }
        let error = #expect(throws: Complaint.self) {
            try service.state(
                of: profile, minimumLifetime: 10, mayLogIn: { Complaint("no", exitCode: .loginRequired) })
        }
        #expect(error?.exitCode == .loginRequired && error?.message.contains("max-session") == true)
    }

    // MARK: Tokens of another kind

    /// A login with an ID token (unsigned: nothing here verifies it) that was made and ends so many seconds from now.
    private static func login(idTokenLeft left: Int, lifetime: Int = 300, subject: String = "old") -> AuthState {
        var state = login(lifetime: 3600, left: 3000)
        let expiry = Fixtures.now + left
        let claims = "{\"sub\":\"\(subject)\",\"iat\":\(expiry - lifetime),\"exp\":\(expiry)}"
        state.storedIDToken = Secret("e30.\(Base64URL.encode(Array(claims.utf8))).c2ln")
        return state
    }

    private func serve(
        _ state: AuthState, _ renewal: any Renewal, host: String, mayLogIn: () -> Complaint? = { nil }
    ) throws -> ServedToken {
        let text =
            "[profile default]\nissuer=\(Fixtures.issuer)\nclient-id=cli\n\n[host git]\nurl=https://git.example\n\(host)\n"
        let configuration = try Configuration(texts: [("config", text)])
        let entry = try #require(configuration.hosts.first)
        return try TokenService(renewal: renewal, now: { Fixtures.now }) { (_) throws(SessionStoreError) in state }
            .token(for: entry, profile: Fixtures.profile(), minimumLifetime: 10, mayLogIn: mayLogIn)
    }

    @Test(arguments: [("fresh", 200, 0, 0), ("in the last fifth", 50, 0, 1), ("stale", 5, 1, 0), ("expired", -5, 1, 0)])
    func anIDTokenIsJudgedByItsOwnTimes(_ name: String, _ left: Int, _ refreshes: Int, _ behind: Int) throws {
        let state = Self.login(idTokenLeft: left)
        let new = Self.login(idTokenLeft: 300, subject: "new")
        let renewal = ScriptedRenewal(.renewed(new))
        let served = try serve(state, renewal, host: "token=id")
        #expect(renewal.refreshes == refreshes && renewal.behind == behind)
        let expected = refreshes == 0 ? state : new
        #expect(served.secret == expected.storedIDToken)
        #expect(served.expiresAt == Fixtures.now + (refreshes == 0 ? left : 300))
    }

    /// OpenID Connect Core section 12.2: a refresh need bring none.
    @Test func anExpiredIDTokenIsNotServedWhenTheRefreshBringsNoOther() throws {
        let state = Self.login(idTokenLeft: -5)
        let renewal = ScriptedRenewal(.renewed(state))
        let none = Complaint("no login here", exitCode: .loginRequired)
        let error = #expect(throws: Complaint.self) {
            try serve(state, renewal, host: "token=id", mayLogIn: { none })
        }
        #expect(error?.exitCode == .loginRequired && error?.message.contains("ID token") == true)
        #expect(renewal.refreshes == 1 && renewal.logins == 0)
    }

    @Test func aLoginWithoutAnIDTokenSaysSo() throws {
        let state = Self.login(left: 90)
        let error = #expect(throws: Complaint.self) {
            try serve(
                state, ScriptedRenewal(.renewed(state)), host: "token=id",
                mayLogIn: {
                    Complaint("no login here", exitCode: .loginRequired)
                })
        }
        #expect(error?.exitCode == .loginRequired && error?.message.contains("ID token") == true)
    }

    /// Another login would bring no refresh token either.
    @Test func withoutARefreshTokenAHostOfAnotherAudienceOpensNoLogin() throws {
        let state = Self.login(left: 90, refreshable: false)
        let error = #expect(throws: Complaint.self) {
            try serve(state, NoRenewal(), host: "audience=https://api.example")
        }
        #expect(error?.exitCode == .configuration && error?.message.contains("[host git]") == true)
        #expect(error?.hint?.contains("offline_access") == true)
    }
}
