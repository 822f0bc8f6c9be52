import CGLib
import Configuration
import Foundation
import JSON
import Login
import OpenIDConnect
import Program
import Sensitive
import Synchronization
import Testing
import WebAddress

/// Serialized, since a signal reaches the whole process.
@Suite(.serialized) struct LoginFlowTests {
    private let loop = EventLoop()

    /// One login and all that could be seen of it.
    private struct Run {
        var result: Result<AuthState, LoginError>
        var saved: [AuthState] = []
        var progress: [LoginProgress] = []
        var page = ""
        var seconds = 0.0

        var error: LoginError? { if case .failure(let error) = result { error } else { nil } }
        var state: AuthState? { try? result.get() }
    }

    private func login(
        _ issuer: FakeIssuer, options: LoginFlow.Options = LoginFlow.Options(), browser: String? = nil,
        profile change: (inout Profile) -> Void = { _ in }, announce: @escaping (LoginProgress) -> Void = { _ in },
        saveFails: Complaint? = nil
    ) throws -> Run {
        let hasPage = browser == nil
        let stub = try StubBrowser()
        defer { stub.remove() }
        let command = try browser.map { try stub.script("browser", $0) } ?? stub.follower()
        var profile = try issuer.profile()
        change(&profile)
        let client = try #require(ClientRegistration(profile: profile, secret: Secret("s3cret")))
        let http = try HTTPClient(HTTPSettings(), loop: loop)
        var progress: [LoginProgress] = []
        var saved: [AuthState] = []
        let flow = LoginFlow(
            profile: profile, client: client, http: http,
            browser: BrowserChoice(environment: command, profile: nil, hasDesktop: false),
            announce: {
                progress.append($0)
                announce($0)
            })
        let start = Clock.monotonic()
        var run = Run(result: .failure(.noRefreshToken))
        do throws(LoginError) {
            run.result = .success(
                try flow.run(options) { state throws(Complaint) in
                    if let saveFails { throw saveFails }
                    saved.append(state)
                })
        } catch {
            run.result = .failure(error)
        }
        run.seconds = Clock.monotonic() - start
        loop.wait(atMost: hasPage ? 5 : 0) {
            stub.text("page")?.contains("</html>") == true || stub.text("error")?.isEmpty == false
        }
        run.page = stub.text("page") ?? ""
        run.progress = progress
        run.saved = saved
        return run
    }

    // MARK: It works

    @Test func signsIn() throws {
        let issuer = try FakeIssuer(loop: loop)
        let run = try login(issuer)
        let state = try run.result.get()
        #expect(run.saved == [state])
        #expect(state.issuer == issuer.url)
        #expect(state.accessToken?.secret.text == "access-1")
        #expect(state.refreshToken?.text == "refresh-1")
        #expect(state.subject == "alice")
        #expect(state.person == "alice@example.com")
        #expect(state.scope == "openid profile email offline_access")
        #expect(state.tokenEndpoint == issuer.url + "/oauth2/token?env=test")
        #expect(run.page.contains("<h1>Signed in</h1>"))
        #expect(run.page.contains("alice@example.com"))
        #expect(
            issuer.paths() == [
                "/.well-known/openid-configuration", "/oauth/authorize", "/oauth2/token", "/.well-known/jwks.json",
            ])
        #expect(run.progress.first == .opened(browser: "browser", issuer: issuer.url.replacing("http://", with: "")))
        #expect(run.progress.contains { if case .waiting = $0 { true } else { false } })
        #expect(run.seconds < 3)
    }

    @Test func sendsWhatTheStandardsAsk() throws {
        let issuer = try FakeIssuer(loop: loop)
        let run = try login(issuer)
        let request = issuer.lastAuthorization
        #expect(request["env"] == "test")
        #expect(request["response_type"] == "code")
        #expect(request["client_id"] == FakeIssuer.clientID)
        #expect(request["scope"] == "openid profile email offline_access")
        #expect(request["code_challenge_method"] == "S256")
        #expect(request["state"]?.count == 43)
        #expect(request["nonce"]?.count == 43)
        #expect(request["state"] != request["nonce"])
        let token = try #require(issuer.tokenRequests.first)
        #expect(token["grant_type"] == "authorization_code")
        #expect(token["code"] == "code-1")
        #expect(token["client_id"] == FakeIssuer.clientID)
        #expect(token["redirect_uri"] == request["redirect_uri"])
        #expect(token["redirect_uri"] == run.state?.redirectURI)
        let verifier = CodeVerifier(Secret(token["code_verifier"] ?? ""), .system)
        #expect(verifier.challenge == request["code_challenge"])
    }

    @Test func asksForWhatProfileAndLoginSay() throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.claimChanges = ["auth_time": .integer(Clock.now()), "acr": "b"]
        var options = LoginFlow.Options()
        options.parameters.append("prompt", "login")
        options.parameters.append("state", "mine")
        options.parameters.append("code_challenge_method", "plain")
        let run = try login(
            issuer, options: options,
            profile: {
                $0.connection = "google"
                $0.uiLocales = ["de", "en"]
                $0.acrValues = ["a", "b"]
                $0.prompt = ["consent"]
                $0.maxAge = 300
                $0.parameters.append("tenant", "x&y")
                $0.scopes = ["openid"]
            })
        #expect(run.error == nil)
        let request = issuer.lastAuthorization
        #expect(request["connection"] == "google")
        #expect(request["ui_locales"] == "de en")
        #expect(request["acr_values"] == "a b")
        #expect(request["prompt"] == "login")
        #expect(request["max_age"] == "300")
        #expect(request["tenant"] == "x&y")
        #expect(request["state"] != "mine")
        #expect(request["code_challenge_method"] == "S256")
        #expect(request.repeatedName == nil)
    }

    @Test(arguments: [Profile.ClientAuthentication.basic, .post])
    func authenticatesItself(method: Profile.ClientAuthentication) throws {
        let issuer = try FakeIssuer(loop: loop)
        let run = try login(issuer, profile: { $0.clientAuthentication = method })
        #expect(run.error == nil)
        let request = try #require(issuer.requests.first { $0.path == "/oauth2/token" })
        #expect((request.headers["authorization"]?.hasPrefix("Basic ") == true) == (method == .basic))
        #expect((issuer.tokenRequests.first?["client_secret"] == "s3cret") == (method == .post))
    }

    @Test func looksForARotatedKeyOnce() throws {
        let issuer = try FakeIssuer(loop: loop)
        let old = issuer.signingKey
        try issuer.rotateKey()
        var fetches = 0
        issuer.publishedKeys = [old]
        issuer.intercept = { [unowned issuer] request in
            guard request.path == "/.well-known/jwks.json" else { return nil }
            fetches += 1
            if fetches == 2 { issuer.publishedKeys = [issuer.signingKey] }
            return nil
        }
        #expect(try login(issuer).error == nil)
        #expect(fetches == 2)
    }

    @Test func worksWithoutOpenID() throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.tokenChanges = ["id_token": nil]
        let run = try login(issuer, profile: { $0.scopes = ["read"] })
        #expect(run.error == nil)
        #expect(run.state?.idToken == nil)
    }

    // MARK: Without a browser

    @Test func printsTheWholeAddress() throws {
        let issuer = try FakeIssuer(loop: loop)
        var options = LoginFlow.Options()
        options.opensBrowser = false
        let page = Box<String>()
        let run = try login(
            issuer, options: options,
            announce: { step in
                guard case .visit(let url, let forward) = step else { return }
                #expect(forward.hasPrefix("ssh -L "))
                Thread.detachNewThread {
                    page.set((try? TestCertificate.run("curl -sSL --noproxy '*' '\(url)'")) ?? "failed")
                }
            })
        #expect(run.error == nil)
        #expect(run.progress.contains { if case .opened = $0 { true } else { false } } == false)
        loop.wait { page.value != nil }
        #expect(page.value?.contains("<h1>Signed in</h1>") == true)
    }

    @Test func printsTheAddressWhenTheBrowserFails() throws {
        let issuer = try FakeIssuer(loop: loop)
        let page = Box<String>()
        let run = try login(
            issuer, browser: "sleep 0.3; exit 4",
            announce: { step in
                guard case .visit(let url, _) = step else { return }
                Thread.detachNewThread {
                    page.set((try? TestCertificate.run("curl -sSL --noproxy '*' '\(url)'")) ?? "failed")
                }
            })
        #expect(run.error == nil)
        #expect(run.progress.contains { if case .browserFailed(let all) = $0 { all.count == 1 } else { false } })
        loop.wait { page.value != nil }
    }

    @Test func doesNotMindABrowserThatFailsAfterItsVisit() throws {
        let issuer = try FakeIssuer(loop: loop)
        let run = try login(issuer, browser: "curl -sSL --noproxy '*' -o /dev/null \"$1\"; exit 9")
        #expect(run.error == nil)
        #expect(!run.progress.contains { if case .visit = $0 { true } else { false } })
    }

    // MARK: It ends otherwise

    struct Failure: Sendable, CustomTestStringConvertible {
        var name: String
        var exitCode: ExitCode
        var words: String
        var page: String
        var bend: @Sendable (FakeIssuer) throws -> Void
        var testDescription: String { name }

        init(
            _ name: String, _ exitCode: ExitCode, _ words: String, page: String = "Sign-in failed",
            _ bend: @escaping @Sendable (FakeIssuer) throws -> Void
        ) {
            (self.name, self.exitCode, self.words, self.page, self.bend) = (name, exitCode, words, page, bend)
        }

        /// The ID token with other claims.
        init(_ name: String, _ words: String, claims: [String: JSONValue?]) {
            self.init(name, .unacceptableAnswer, words) { $0.claimChanges = claims }
        }

        /// The redirect with another query.
        init(
            _ name: String, _ exitCode: ExitCode, _ words: String, page: String = "Sign-in failed",
            query: @escaping @Sendable (_ state: String) -> String
        ) {
            self.init(name, exitCode, words, page: page) { $0.redirectQuery = { state, _ in query(state) } }
        }
    }

    static let failures: [Failure] = [
        Failure(
            "denied", .cancelled, "denied: no thanks", page: "Not signed in",
            query: { "error=access_denied&error_description=no+thanks&state=\($0)" }),
        Failure("login_required", .loginRequired, "login_required", query: { "error=login_required&state=\($0)" }),
        Failure("invalid_scope", .configuration, "invalid_scope", query: { "error=invalid_scope&state=\($0)" }),
        Failure(
            "unauthorized_client", .configuration, "unauthorized_client",
            query: { "error=unauthorized_client&state=\($0)" }),
        Failure("server_error", .temporary, "server_error", query: { "error=server_error&state=\($0)" }),
        Failure("own error", .issuerError, "<i>own</i>", query: { "error=%3Ci%3Eown%3C%2Fi%3E&state=\($0)" }),
        Failure(
            "wrong iss", .unacceptableAnswer, "evil.example",
            query: { "code=c&state=\($0)&iss=https%3A%2F%2Fevil.example" }),
        Failure("iss missing", .unacceptableAnswer, "promises") {
            $0.metadataChanges["authorization_response_iss_parameter_supported"] = true
        },
        Failure("code refused", .loginRequired, "invalid_grant") {
            $0.intercept = { $0.path == "/oauth2/token" ? .json("{\"error\":\"invalid_grant\"}", status: 400) : nil }
        },
        Failure("client refused", .configuration, "invalid_client") {
            $0.intercept = { $0.path == "/oauth2/token" ? .json("{\"error\":\"invalid_client\"}", status: 401) : nil }
        },
        Failure("token 500", .temporary, "not available") {
            $0.intercept = { $0.path == "/oauth2/token" ? TestServer.Reply(status: 500) : nil }
        },
        Failure("token HTML", .temporary, "other than JSON") {
            $0.intercept = { $0.path == "/oauth2/token" ? TestServer.Reply(status: 200, body: "<html>") : nil }
        },
        Failure("no ID token", .unacceptableAnswer, "no id_token") { $0.tokenChanges["id_token"] = .some(nil) },
        Failure("ID token is none", .unacceptableAnswer, "ID token") { $0.tokenChanges["id_token"] = "x.y.z" },
        Failure("foreign key", .unacceptableAnswer, "kid") { try $0.rotateKey() },
        Failure("keys 500", .temporary, "keys") {
            $0.intercept = { $0.path.hasSuffix("jwks.json") ? TestServer.Reply(status: 500) : nil }
        },
        Failure("keys missing", .configuration, "keys") {
            $0.intercept = { $0.path.hasSuffix("jwks.json") ? TestServer.Reply(status: 404) : nil }
        },
        Failure("keys are none", .unacceptableAnswer, "keys") {
            $0.intercept = { $0.path.hasSuffix("jwks.json") ? .json("{}") : nil }
        },
        Failure("algorithm not listed", .unacceptableAnswer, "ES256") {
            $0.metadataChanges["id_token_signing_alg_values_supported"] = ["RS256"]
        },
        Failure("wrong issuer", "issued by", claims: ["iss": "https://evil.example"]),
        Failure("wrong audience", "expected client", claims: ["aud": "other"]),
        Failure("audience without azp", "azp", claims: ["aud": ["test-client", "other"]]),
        Failure("wrong azp", "party", claims: ["azp": "other"]),
        Failure("wrong nonce", "nonce", claims: ["nonce": "x"]),
        Failure("missing nonce", "nonce", claims: ["nonce": nil]),
        Failure("expired", "check the clock", claims: ["exp": 1_000_000_000]),
        Failure("from the future", "check the clock", claims: ["iat": 4_000_000_000]),
        Failure("not yet valid", "check the clock", claims: ["nbf": 4_000_000_000]),
        Failure("no subject", "no sub", claims: ["sub": nil]),
        Failure("at_hash", "at_hash", claims: ["at_hash": "AAAA"]),
    ]

    @Test(arguments: failures)
    func failsAndSavesNothing(row: Failure) throws {
        let issuer = try FakeIssuer(loop: loop)
        try row.bend(issuer)
        let run = try login(issuer)
        let complaint = Complaint(try #require(run.error))
        #expect(complaint.exitCode == row.exitCode)
        #expect(complaint.message.contains(row.words), "\(complaint.message)")
        #expect(!complaint.message.hasSuffix("."))
        #expect(run.saved.isEmpty)
        #expect(run.page.contains("<h1>\(row.page)</h1>"))
        #expect(!run.page.contains("<i>"))
        #expect(run.seconds < 4)
    }

    @Test func checksMaxAge() throws {
        let issuer = try FakeIssuer(loop: loop)
        issuer.claimChanges = ["auth_time": .integer(Clock.now() - 1000)]
        let run = try login(issuer, profile: { $0.maxAge = 300 })
        #expect(run.error.map { Complaint($0).exitCode } == .unacceptableAnswer)
        #expect(run.saved.isEmpty)
    }

    @Test func refusesAMaxAgeThatIsNone() throws {
        var options = LoginFlow.Options()
        options.parameters.append("max_age", "soon")
        let issuer = try FakeIssuer(loop: loop)
        let run = try login(issuer, options: options, browser: "exit 0")
        #expect(run.error == .parameter(name: "max_age", value: "soon"))
        #expect(issuer.requests.isEmpty)
    }

    @Test func tellsThePersonWhenSavingFails() throws {
        let complaint = Complaint("the keyring is locked", hint: "unlock it", exitCode: .keyringUnavailable)
        let run = try login(try FakeIssuer(loop: loop), saveFails: complaint)
        #expect(run.error == .notSaved(complaint))
        #expect(run.error.map { Complaint($0) } == complaint)
        #expect(run.page.contains("the keyring is locked"))
    }

    @Test func timesOut() throws {
        var options = LoginFlow.Options()
        options.deadline = 1
        let issuer = try FakeIssuer(loop: loop)
        let run = try login(issuer, options: options, browser: "sleep 3")
        let complaint = Complaint(try #require(run.error))
        #expect(complaint.exitCode == .temporary)
        guard case .timedOut(1, let redirectURI, FakeIssuer.clientID, issuer.url) = run.error else {
            Issue.record("\(complaint)")
            return
        }
        #expect(complaint.message.contains(redirectURI))
        #expect(complaint.hint?.contains("registered for client \"test-client\"") == true)
        #expect(run.seconds < 2)
        #expect(run.saved.isEmpty)
    }

    @Test func aDenialWithoutOurStateEndsNothing() throws {
        let issuer = try FakeIssuer(loop: loop)
        let run = try login(
            issuer,
            browser: """
                curl -sS --noproxy '*' -o /dev/null "${1%%/start*}/callback?error=access_denied&state=guess"
                exec curl -sSL --noproxy '*' -o /dev/null "$1"
                """)
        #expect(run.error == nil)
    }

    @Test func bindsBeforeTheBrowserOpensAndNamesTakenPorts() throws {
        let issuer = try FakeIssuer(loop: loop)
        let taken = try LoopbackListener(binding: [#require(RedirectURI("http://127.0.0.1/"))], loop: loop)
        let uri = try #require(RedirectURI("http://127.0.0.1:\(taken.port)/callback"))
        let run = try login(issuer, browser: "exit 0", profile: { $0.redirectURIs = [uri] })
        let complaint = Complaint(try #require(run.error))
        #expect(complaint.exitCode == .temporary)
        #expect(complaint.message.contains("127.0.0.1:\(taken.port) is in use"))
        #expect(run.progress.isEmpty)
    }

    // MARK: Signals

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignalEndsTheWait(signal: CInt) throws {
        let issuer = try FakeIssuer(loop: loop)
        let run = try login(
            issuer, browser: "sleep 3", announce: { if case .waiting = $0 { kill(getpid(), signal) } })
        #expect(run.error == .interrupted(signal))
        #expect(run.error.map { Complaint($0).exitCode } == .cancelled)
        #expect(run.saved.isEmpty)
        #expect(run.seconds < 1)
    }

    @Test func aSignalEndsTheExchange() throws {
        let issuer = try FakeIssuer(loop: loop)
        let hanging = try RawServer { connection in
            _ = RawServer.readHead(connection)
            kill(getpid(), SIGTERM)
            _ = RawPeer.receive(connection)
        }
        issuer.metadataChanges["token_endpoint"] = .string("http://127.0.0.1:\(hanging.port)/token")
        let run = try login(issuer)
        #expect(run.error == .interrupted(SIGTERM))
        #expect(run.saved.isEmpty)
        #expect(run.page.contains("<h1>Sign-in failed</h1>"))
        #expect(run.seconds < 3)
    }

    @Test func holdsSignalsOff() throws {
        // Another thread that would take it, as GIO's do.
        let other = Box.of { usleep(300_000) }
        signal(SIGTERM, SIG_IGN)
        defer { signal(SIGTERM, SIG_DFL) }
        let hold = SignalHold()
        #expect(hold.pending == nil)
        for name in [SIGTERM, SIGTERM] { kill(getpid(), name) }
        loop.wait { hold.pending != nil && other.value != nil }
        #expect(hold.pending == SIGTERM)
        hold.release()
        #expect(hold.pending == nil)
    }
}
