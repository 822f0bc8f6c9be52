import Configuration
import Foundation
import Login
import OpenIDConnect
import Program
import Testing

extension LoginFlowTests {
    /// A redirect URI that the issuer does not know is the first thing that goes wrong.
    @Suite struct RemindingTests {
        private let loop = EventLoop()

        @Test func namesTheRedirectURIOnceWhileItWaits() throws {
            let issuer = try FakeIssuer(loop: loop)
            let stub = try StubBrowser()
            defer { stub.remove() }
            // The issuer shows an error page and sends nobody back.
            issuer.intercept = { $0.path == "/oauth/authorize" ? TestServer.Reply(status: 400, body: "no") : nil }
            var options = LoginFlow.Options()
            options.reminder = 1
            options.deadline = 3
            var progress: [LoginProgress] = []
            let flow = LoginFlow(
                profile: try issuer.profile(),
                client: ClientRegistration(id: FakeIssuer.clientID, authentication: .none),
                http: try HTTPClient(HTTPSettings(), loop: loop),
                browser: BrowserChoice(environment: try stub.follower(), profile: nil, hasDesktop: false),
                announce: { progress.append($0) })
            var complaint: Complaint?
            do throws(LoginError) {
                _ = try flow.run(options) { _ in }
            } catch {
                complaint = Complaint(error)
            }
            let reminders = progress.filter { if case .overdue = $0 { true } else { false } }
            try #require(reminders.count == 1)
            guard case .overdue(let redirectURI, FakeIssuer.clientID, issuer.url) = reminders[0] else {
                Issue.record("\(reminders)")
                return
            }
            #expect(redirectURI.hasPrefix("http://127.0.0.1:"))
            #expect("\(reminders[0])".contains("register exactly this redirect URI"))
            #expect("\(reminders[0])".hasSuffix(": \(redirectURI)"))
            #expect(complaint?.message.contains(redirectURI) == true)
            // A browser that asked for the page is at work: no address is printed.
            #expect(!progress.contains { if case .visit = $0 { true } else { false } })
        }
    }
}
