import Configuration
import Foundation
import JSON
import Login
import OpenIDConnect
import Program
import Testing
import WebAddress

extension LoginFlowTests {
    /// `prompt=none` (OpenID Connect Core section 3.1.2.1): the issuer must not ask, and the stored login stays.
    @Suite struct SilentLoginTests {
        private let loop = EventLoop()

        private func login(
            _ issuer: FakeIssuer, subject: String? = nil
        ) throws -> (result: Result<AuthState, LoginError>, saves: Int) {
            let stub = try StubBrowser()
            defer { stub.remove() }
            var options = LoginFlow.Options()
            options.parameters.append("prompt", "none")
            options.subject = subject
            var saves = 0
            let flow = LoginFlow(
                profile: try issuer.profile(),
                client: ClientRegistration(id: FakeIssuer.clientID, authentication: .none),
                http: try HTTPClient(HTTPSettings(), loop: loop),
                browser: BrowserChoice(environment: try stub.follower(), profile: nil, hasDesktop: false),
                announce: { _ in })
            do throws(LoginError) {
                return (.success(try flow.run(options) { _ in saves += 1 }), saves)
            } catch {
                return (.failure(error), saves)
            }
        }

        @Test(arguments: [
            ("login_required", ExitCode.loginRequired), ("consent_required", .loginRequired),
            ("interaction_required", .loginRequired), ("account_selection_required", .loginRequired),
            ("access_denied", .cancelled), ("temporarily_unavailable", .temporary), ("invalid_request", .issuerError),
        ])
        func anErrorSavesNothing(code: String, exitCode: ExitCode) throws {
            let issuer = try FakeIssuer(loop: loop)
            issuer.redirectQuery = { state, _ in "error=\(code)&state=\(state)" }
            let run = try login(issuer)
            guard case .failure(let error) = run.result else {
                Issue.record("it signed in")
                return
            }
            #expect(Complaint(error).exitCode == exitCode)
            #expect(Complaint(error).message.contains(code) || code == "access_denied")
            #expect(run.saves == 0)
            #expect(issuer.tokenRequests.isEmpty)
            #expect(issuer.lastAuthorization["prompt"] == "none")
        }

        @Test func signsInWhoIsSignedIn() throws {
            let run = try login(try FakeIssuer(loop: loop), subject: "alice")
            #expect(try run.result.get().subject == "alice")
            #expect(run.saves == 1)
        }

        @Test func doesNotChangeThePerson() throws {
            let run = try login(try FakeIssuer(loop: loop), subject: "bob")
            #expect(run.result == .failure(.idToken(.claims(.changedSubject(before: "bob", now: "alice")))))
            #expect(run.saves == 0)
        }
    }
}
