import Configuration
import Foundation
import JSON
import Login
import OpenIDConnect
import Program
import Testing
import WebAddress

extension LoginFlowTests {
    /// When a login takes the device flow by itself, and when it does not.
    @Suite struct DeviceFlowChoiceTests {
        private let loop = EventLoop()

        /// A login on a machine without a desktop.
        ///
        /// - Parameter browser: what `BROWSER` names.
        private func flow(
            _ device: DeviceIssuer, browser: String? = nil, announce: @escaping (LoginProgress) -> Void
        ) throws -> LoginFlow {
            LoginFlow(
                profile: try device.issuer.profile(),
                client: ClientRegistration(id: FakeIssuer.clientID, authentication: .none),
                http: try HTTPClient(HTTPSettings(), loop: loop),
                browser: BrowserChoice(environment: browser, profile: nil, hasDesktop: false), announce: announce)
        }

        struct Row: Sendable, CustomTestStringConvertible {
            var name: String
            var byDevice: Bool
            var isOffered = true
            var opensBrowser = true
            var browser: String?
            var prompt: String?
            var redirectURI: String?

            var testDescription: String { name }
        }

        private static let rows = [
            Row(name: "no browser", byDevice: true),
            Row(name: "not offered", byDevice: false, isOffered: false),
            Row(name: "the address is wanted", byDevice: false, opensBrowser: false),
            Row(name: "a browser", byDevice: false, browser: "/bin/true"),
            Row(name: "a browser that is missing", byDevice: false, browser: "/no/such"),
            Row(name: "silent, with a browser", byDevice: false, browser: "/bin/true", prompt: "none"),
            Row(name: "another prompt", byDevice: true, prompt: "login"),
            Row(name: "a port of its own", byDevice: false, redirectURI: "http://127.0.0.1/x"),
        ]

        @Test(arguments: rows)
        func isChosenWhereThereIsNoBrowser(row: Row) throws {
            let device = try DeviceIssuer(loop: loop, [.error("access_denied")])
            device.deviceChanges["interval"] = 1
            if !row.isOffered { device.issuer.metadataChanges["device_authorization_endpoint"] = .some(nil) }
            var options = LoginFlow.Options()
            options.opensBrowser = row.opensBrowser
            options.deadline = 2
            options.parameters.append("prompt", row.prompt)
            options.redirectURIs = row.redirectURI.flatMap { RedirectURI($0) }.map { [$0] }
            var progress: [LoginProgress] = []
            let flow = try flow(device, browser: row.browser) {
                progress.append($0)
                // Enough is known.
                if case .waiting = $0 { kill(getpid(), SIGTERM) }
            }
            #expect(throws: row.byDevice ? .denied(OAuthError(code: "access_denied")) : LoginError.interrupted(SIGTERM))
            {
                try flow.run(options) { _ in }
            }
            #expect(device.deviceRequests.isEmpty == !row.byDevice)
            #expect(progress.first == (row.byDevice ? .browserFailed([]) : progress.first))
        }

        /// Nobody is to be asked, so that no address is printed and no code shown.
        @Test func silentWithoutABrowserEndsAtOnce() throws {
            let device = try DeviceIssuer(loop: loop, [.error("access_denied")])
            var options = LoginFlow.Options()
            options.parameters.append("prompt", "none")
            var progress: [LoginProgress] = []
            let flow = try flow(device) { progress.append($0) }
            #expect(throws: LoginError.noBrowser) { try flow.run(options) { _ in } }
            #expect(progress.isEmpty && device.deviceRequests.isEmpty)
            #expect(Complaint(LoginError.noBrowser).exitCode == .loginRequired)
        }
    }
}
