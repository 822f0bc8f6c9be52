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
    let loop = EventLoop()

    /// One login and all that could be seen of it.
    struct Run {
        var result: Result<AuthState, LoginError>
        var saved: [AuthState] = []
        var progress: [LoginProgress] = []
        var page = ""
        var seconds = 0.0

        var error: LoginError? { if case .failure(let error) = result { error } else { nil } }
        var state: AuthState? { try? result.get() }
    }

    func login(
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
