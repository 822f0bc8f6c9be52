import Configuration
import Foundation
import JSON
import Login
import OpenIDConnect
import Program
import Sensitive
import Testing
import WebAddress

extension LoginFlowTests {
    /// OpenID Connect RP-Initiated Logout 1.0 through the loopback listener (T15).
    @Suite struct BrowserSignOutTests {
        private let loop = EventLoop()
        private let stub: StubBrowser
        private let issuer: FakeIssuer

        init() throws {
            stub = try StubBrowser()
            issuer = try FakeIssuer(loop: loop)
            issuer.metadataChanges["end_session_endpoint"] = .string(issuer.url + "/oauth/logout?env=test")
        }

        private struct Run {
            var result: Result<BrowserSignOut.Outcome, LoginError>
            var progress: [LoginProgress] = []
            var page: String?
            /// What came to the end session endpoint.
            var request: FormFields?
        }

        /// - Parameter redirect: where the issuer sends the browser, given the post-logout redirect URI and the state;
        ///   nil: it shows a page of its own.
        private func signOut(
            browser: String? = nil, deadline: Int = 5, redirectURI: String? = nil,
            idToken: Secret? = Secret("id.to.ken"),
            announce: @escaping (LoginProgress) -> Void = { _ in },
            redirect: @escaping (_ uri: String, _ state: String) -> String? = { "\($0)?state=\($1)" }
        ) throws -> Run {
            defer { stub.remove() }
            issuer.intercept = { request in
                guard request.path == "/oauth/logout" else { return nil }
                let fields = FormFields(parsing: request.query)
                guard let uri = fields?["post_logout_redirect_uri"], let state = fields?["state"],
                    let target = redirect(uri, state)
                else { return TestServer.Reply(body: "<html>bye</html>") }
                return TestServer.Reply(status: 302, headers: ["Location": target])
            }
            var profile = try issuer.profile()
            if let redirectURI { profile.redirectURIs = [try #require(RedirectURI(redirectURI))] }
            var options = BrowserSignOut.Options()
            options.deadline = deadline
            options.browserPatience = 1
            var progress: [LoginProgress] = []
            let command = try browser ?? stub.follower()
            let signOut = BrowserSignOut(
                profile: profile, client: ClientRegistration(id: FakeIssuer.clientID, authentication: .none),
                http: try HTTPClient(HTTPSettings(), loop: loop),
                browser: BrowserChoice(environment: command, profile: nil, hasDesktop: false),
                announce: {
                    progress.append($0)
                    announce($0)
                })
            var run = Run(result: .failure(.noRefreshToken))
            do throws(LoginError) {
                run.result = .success(try signOut.run(options, idToken: idToken))
            } catch {
                run.result = .failure(error)
            }
            loop.wait(atMost: browser == nil ? 1 : 0) { stub.text("page")?.contains("</html>") == true }
            run.page = stub.text("page")
            run.progress = progress
            run.request = issuer.requests.last { $0.path == "/oauth/logout" }.flatMap { FormFields(parsing: $0.query) }
            return run
        }

        @Test func signsOut() throws {
            let run = try signOut()
            #expect(run.result == .success(.signedOut))
            #expect(run.page?.contains("<h1>Signed out</h1>") == true)
            let request = try #require(run.request)
            #expect(request["env"] == "test")
            #expect(request["id_token_hint"] == "id.to.ken")
            #expect(request["client_id"] == FakeIssuer.clientID)
            #expect(request["state"]?.count == 43)
            #expect(request["post_logout_redirect_uri"]?.hasSuffix("/callback") == true)
            #expect(run.progress.count == 1)
        }

        @Test func worksWithoutAnIDToken() throws {
            let run = try signOut(idToken: nil)
            #expect(run.result == .success(.signedOut))
            #expect(run.request?["id_token_hint"] == nil)
        }

        @Test func theBrowserGetsNoTokenInItsArguments() throws {
            let script = try stub.script("browser", "printf '%s' \"$1\" > '\(stub.file("url"))'; exec sleep 3")
            let url = Box<String>()
            let run = try signOut(
                browser: script, deadline: 2,
                announce: { [stub] in
                    if case .visitToSignOut(let address, _) = $0 {
                        url.set(address)
                        #expect(stub.text("url") == address)
                    }
                })
            #expect(run.result == .success(.notVisited(seconds: 2)))
            let address = try #require(url.value)
            #expect(address.hasPrefix("http://127.0.0.1:") && !address.contains("id.to.ken"))
            #expect(run.progress.contains(.browserSilent(browser: "browser", seconds: 1)))
        }

        @Test(arguments: ["exit 7", nil])
        func aBrowserThatFailsLeavesAnAddress(script: String?) throws {
            let command = try script.map { try stub.script("browser", $0) } ?? stub.file("missing")
            let follower = try stub.follower("person")
            let run = try signOut(
                browser: command,
                announce: {
                    guard case .visitToSignOut(let address, let forward) = $0 else { return }
                    #expect(forward.hasPrefix("ssh -L "))
                    // The person opens it.
                    var person = ChildProcess(path: follower, arguments: ["person", address])
                    person.errors = .null
                    _ = try? person.spawn()
                })
            #expect(run.result == .success(.signedOut))
        }

        // MARK: What may come back

        struct Row: Sendable, CustomTestStringConvertible {
            var name: String
            var query: @Sendable (String) -> String
            var outcome: BrowserSignOut.Outcome?

            init(
                _ name: String, _ outcome: BrowserSignOut.Outcome? = nil,
                _ query: @escaping @Sendable (String) -> String
            ) {
                (self.name, self.outcome, self.query) = (name, outcome, query)
            }

            var testDescription: String { name }
        }

        private static let rows = [
            Row("more than the state", .signedOut) { "sid=1&state=\($0)" },
            Row("an error", .refused(OAuthError(code: "invalid_request", detail: "no"))) {
                "error=invalid_request&error_description=no&state=\($0)"
            },
            Row("no query") { _ in "" },
            Row("no state") { _ in "x=1" },
            Row("another state") { _ in "state=guess" },
            Row("an error without our state") { _ in "error=access_denied&state=guess" },
            Row("the state twice") { "state=\($0)&state=\($0)" },
            Row("a state with more behind it") { "state=\($0)x" },
            Row("a broken escape") { "state=\($0)&x=%zz" },
        ]

        @Test(arguments: rows)
        func comparesTheState(row: Row) throws {
            let run = try signOut(deadline: row.outcome == nil ? 1 : 5, redirect: { "\($0)?\(row.query($1))" })
            if let outcome = row.outcome {
                #expect(run.result == .success(outcome))
                return
            }
            guard case .success(.notConfirmed(_, seconds: 1)) = run.result else {
                Issue.record("\(run.result)")
                return
            }
        }

        @Test func saysWhatItCouldNotConfirm() throws {
            let run = try signOut(deadline: 1, redirect: { _, _ in nil })
            guard case .success(.notConfirmed(let redirectURI, seconds: 1)) = run.result else {
                Issue.record("\(run.result)")
                return
            }
            #expect(run.request?["post_logout_redirect_uri"] == redirectURI)
            #expect(
                "\(try run.result.get())".contains("could not be confirmed: it did not come back to \(redirectURI)"))
            #expect(run.page?.contains("bye") == true)
        }

        @Test func signsOutWithoutAWayBack() throws {
            let taken = try LoopbackListener(binding: [#require(RedirectURI("http://127.0.0.1/"))], loop: loop)
            let run = try signOut(redirectURI: "http://127.0.0.1:\(taken.port)/callback")
            guard case .success(.noWayBack(let error)) = run.result else {
                Issue.record("\(run.result)")
                return
            }
            #expect(error.isTaken)
            #expect(run.request?["id_token_hint"] == "id.to.ken")
            #expect(run.request?["post_logout_redirect_uri"] == nil)
            #expect(run.request?["state"] == nil)
            #expect(run.page?.contains("bye") == true)
        }

        @Test func wantsItOffered() throws {
            issuer.metadataChanges["end_session_endpoint"] = .some(nil)
            let run = try signOut(browser: "/bin/false")
            #expect(run.result == .success(.notOffered))
            #expect(run.progress.isEmpty)
        }

        @Test func needsTheMetadata() throws {
            issuer.metadataChanges["issuer"] = "https://other.example"
            guard case .failure(.discovery) = try signOut(browser: "/bin/false").result else {
                Issue.record("it went on")
                return
            }
        }

        @Test func aSignalEndsTheWait() throws {
            let script = try stub.script("browser", "exec sleep 3")
            let run = try signOut(
                browser: script,
                announce: {
                    if case .openedToSignOut = $0 { kill(getpid(), SIGINT) }
                })
            #expect(run.result == .failure(.interrupted(SIGINT)))
        }
    }
}
