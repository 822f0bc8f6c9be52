import Configuration
import HelperCommands
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
}
