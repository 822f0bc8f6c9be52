import Configuration
import Foundation
import JSON
import Login
import OpenIDConnect
import Testing
import WebAddress

extension LoginFlowTests {
    /// Logins that the browser of this machine has no part in: a person pastes the redirect.
    @Suite struct PasteFlowTests {
        private let loop = EventLoop()
        private let terminal: TestTerminal

        init() throws {
            terminal = try TestTerminal()
        }

        /// Runs a login whose person types what `answers` makes of the authorization request's address.
        private func login(
            _ issuer: FakeIssuer, browser: String? = nil, hasTerminal: Bool = true,
            answers: @escaping (_ uri: String, _ state: String) -> [String]
        ) throws -> (result: Result<AuthState, LoginError>, progress: [LoginProgress]) {
            var options = LoginFlow.Options()
            options.opensBrowser = browser != nil
            options.deadline = hasTerminal ? 5 : 1
            options.browserPatience = 1
            var progress: [LoginProgress] = []
            let flow = LoginFlow(
                profile: try issuer.profile(),
                client: ClientRegistration(id: FakeIssuer.clientID, authentication: .none),
                http: try HTTPClient(HTTPSettings(), loop: loop),
                browser: BrowserChoice(environment: browser, profile: nil, hasDesktop: false),
                terminal: { [terminal] in hasTerminal ? try? terminal.lines() : nil },
                announce: { [terminal] step in
                    progress.append(step)
                    guard case .visit(let url, _) = step,
                        let fields = WebURL(url)?.query.flatMap({ FormFields(parsing: $0) })
                    else { return }
                    issuer.claimChanges["nonce"] = fields["nonce"].map { .string($0) }
                    for line in answers(fields["redirect_uri"] ?? "", fields["state"] ?? "") {
                        terminal.type(line + "\n")
                    }
                })
            do throws(LoginError) {
                return (.success(try flow.run(options) { _ in }), progress)
            } catch {
                return (.failure(error), progress)
            }
        }

        @Test func signsInByAPastedAddress() throws {
            let run = try login(try FakeIssuer(loop: loop)) { ["\($0)?code=c&state=\($1)"] }
            #expect(try run.result.get().subject == "alice")
            #expect(run.progress.contains { if case .pasteWelcome = $0 { true } else { false } })
            #expect(run.progress.last == .received)
        }

        @Test func saysWhyOneIsWrongAndWaitsOn() throws {
            let run = try login(try FakeIssuer(loop: loop)) {
                ["what now", "", "\($0)?code=c&state=x", "\($0)?code=c", "\($0)?code=c&state=\($1)"]
            }
            #expect(throws: Never.self) { try run.result.get() }
            let refusals = run.progress.compactMap { if case .pasteRefused(let error) = $0 { error } else { nil } }
            #expect(refusals.count == 3)
            #expect(refusals.dropFirst() == [.foreign(.wrongState), .foreign(.noState)])
        }

        @Test func aPastedDenialEndsTheLogin() throws {
            let run = try login(try FakeIssuer(loop: loop)) { ["\($0)?error=access_denied&state=\($1)"] }
            #expect(run.result == .failure(.denied(OAuthError(code: "access_denied"))))
        }

        @Test(arguments: [
            ("one that exits 7", "exit 7"), ("one that does not exist", nil), ("one that hangs", "exec sleep 6"),
            ("one that opens nothing", "exit 0"),
        ])
        func takesThePlaceOfABrowser(name: String, script: String?) throws {
            let stub = try StubBrowser()
            defer { stub.remove() }
            let command = try script.map { try stub.script("browser", $0) } ?? stub.file("missing")
            let run = try login(try FakeIssuer(loop: loop), browser: command) { ["\($0)?code=c&state=\($1)"] }
            #expect(throws: Never.self) { try run.result.get() }
            let failed = run.progress.contains { if case .browserFailed = $0 { true } else { false } }
            let silent = run.progress.contains { if case .browserSilent("browser", 1) = $0 { true } else { false } }
            #expect(failed == (script == nil || script == "exit 7"))
            #expect(silent == !failed)
            #expect(run.progress.count { if case .visit = $0 { true } else { false } } == 1)
        }

        @Test func goesOnWithoutATerminal() throws {
            let run = try login(try FakeIssuer(loop: loop), hasTerminal: false) { ["\($0)?code=c&state=\($1)"] }
            guard case .failure(.timedOut) = run.result else {
                Issue.record("\(run.result)")
                return
            }
            #expect(!run.progress.contains { if case .pasteWelcome = $0 { true } else { false } })
        }
    }
}
