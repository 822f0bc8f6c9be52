import CGLib
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
    /// RFC 8628, with seconds of ten milliseconds.
    @Suite struct DeviceFlowTests {
        private static let second = 0.01
        private let loop = EventLoop()

        private struct Run {
            var result: Result<AuthState, LoginError>
            var saved: [AuthState] = []
            var progress: [LoginProgress] = []

            var error: LoginError? { if case .failure(let error) = result { error } else { nil } }
        }

        private func login(
            _ device: DeviceIssuer, deadline: Int? = nil, parameters: FormFields = FormFields(),
            secondLength: Double = second, profile change: (inout Profile) -> Void = { _ in },
            announce: @escaping (LoginProgress) -> Void = { _ in }
        ) throws -> Run {
            var options = LoginFlow.Options()
            options.deadline = deadline
            options.parameters = parameters
            var profile = try device.issuer.profile()
            change(&profile)
            var run = Run(result: .failure(.noRefreshToken))
            var progress: [LoginProgress] = []
            var saved: [AuthState] = []
            let flow = DeviceFlow(
                profile: profile, client: ClientRegistration(id: FakeIssuer.clientID, authentication: .none),
                http: try HTTPClient(HTTPSettings(), loop: loop), secondLength: secondLength,
                announce: {
                    progress.append($0)
                    announce($0)
                })
            do throws(LoginError) {
                run.result = .success(try flow.run(options) { state in saved.append(state) })
            } catch {
                run.result = .failure(error)
            }
            (run.progress, run.saved) = (progress, saved)
            return run
        }

        // MARK: It works

        @Test func signsIn() throws {
            let device = try DeviceIssuer(loop: loop, [.error("authorization_pending"), .tokens])
            let run = try login(device)
            let state = try run.result.get()
            #expect(run.saved == [state])
            #expect(state.subject == "alice")
            #expect(state.refreshToken?.text == "refresh-1")
            #expect(state.tokenEndpoint == device.issuer.url + "/oauth2/token?env=test")
            #expect(
                run.progress == [
                    .enterCode(
                        userCode: "WDJB-MJHT", at: device.issuer.url + "/device",
                        complete: device.issuer.url + "/device?user_code=WDJB-MJHT", seconds: 600),
                    .codeAccepted,
                ])
            #expect(!device.issuer.paths().contains("/oauth/authorize"))
        }

        @Test func sendsWhatTheStandardAsks() throws {
            let device = try DeviceIssuer(loop: loop)
            var parameters = FormFields(["connection": "google", "login_hint": "a b"])
            parameters.append("client_id", "evil")
            parameters.append("scope", "everything")
            _ = try login(device, parameters: parameters)
            let request = try #require(device.deviceRequests.first)
            #expect(request.repeatedName == nil)
            #expect(request["client_id"] == FakeIssuer.clientID)
            #expect(request["scope"] == "openid profile email offline_access")
            #expect(request["connection"] == "google")
            #expect(request["login_hint"] == "a b")
            let poll = try #require(device.polls.first).form
            #expect(poll["grant_type"] == DeviceIssuer.grantType)
            #expect(poll["device_code"] == "device-1")
            #expect(poll["client_id"] == FakeIssuer.clientID)
            #expect(poll.fields.count == 3)
        }

        @Test func showsTheCodeBesideTheCompleteAddress() throws {
            let step = LoginProgress.enterCode(
                userCode: "AB\u{1B}[2J\nopen https://evil.example", at: "https://i.example/device",
                complete: "https://i.example/device?c=AB", seconds: 9)
            let lines = "\(step)".split(separator: "\n")
            #expect(lines.count == 4)
            #expect(lines[1].hasPrefix("and enter the code AB\u{FFFD}[2J\u{FFFD}open"))
            #expect(lines[2].hasPrefix("or open https://i.example/device?c=AB"))
            let plain = LoginProgress.enterCode(userCode: "AB", at: "https://i.example/d", complete: nil, seconds: 9)
            #expect("\(plain)".split(separator: "\n").count == 3)
        }

        // MARK: Polling

        struct PollRow: Sendable, CustomTestStringConvertible {
            var name: String
            var answers: [DeviceIssuer.Answer]
            /// Least seconds before each poll, the first counted from the start.
            var pauses: [Double]

            init(_ name: String, _ answers: [DeviceIssuer.Answer], _ pauses: [Double]) {
                (self.name, self.answers, self.pauses) = (name, answers + [.tokens], pauses)
            }

            var testDescription: String { name }
        }

        private static let pollRows = [
            PollRow("allowed at once", [], [5]),
            PollRow("pending", [.error("authorization_pending"), .error("authorization_pending")], [5, 5, 5]),
            PollRow("pending with status 428", [.error("authorization_pending", status: 428)], [5, 5]),
            PollRow(
                "slow_down adds five for good", [.error("slow_down"), .error("authorization_pending")], [5, 10, 10]),
            PollRow("slow_down twice", [.error("slow_down"), .error("slow_down")], [5, 10, 15]),
            PollRow("503", [.page(status: 503)], [5, 10]),
            PollRow(
                "503 again and again", [.page(status: 503), .page(status: 502), .page(status: 500)], [5, 10, 20, 40]),
            PollRow("back to the interval", [.page(status: 503), .error("authorization_pending")], [5, 10, 5]),
            PollRow("429 with a pause", [.page(status: 429, retryAfter: "30")], [5, 30]),
            PollRow("a page for people", [.page(status: 200), .page(status: 403)], [5, 10, 20]),
            PollRow("temporarily_unavailable", [.error("temporarily_unavailable")], [5, 10]),
        ]

        @Test(arguments: pollRows)
        func asksAgain(row: PollRow) throws {
            let device = try DeviceIssuer(loop: loop, row.answers)
            var start = 0.0
            let run = try login(device, announce: { if case .enterCode = $0 { start = Clock.monotonic() } })
            #expect(throws: Never.self) { try run.result.get() }
            try #require(device.polls.count == row.pauses.count)
            for (pause, poll) in zip(row.pauses, device.polls) {
                // A timer may be a millisecond early by the other clock.
                #expect(poll.at - start >= pause * Self.second - 0.002)
                start = poll.at
            }
        }

        struct RefusalRow: Sendable, CustomTestStringConvertible {
            var name: String
            var answer: DeviceIssuer.Answer
            var exitCode: ExitCode
            var says: String

            init(_ name: String, _ answer: DeviceIssuer.Answer, _ exitCode: ExitCode, _ says: String) {
                (self.name, self.answer, self.exitCode, self.says) = (name, answer, exitCode, says)
            }

            var testDescription: String { name }
        }

        private static let refusalRows = [
            RefusalRow("denied", .error("access_denied"), .cancelled, "denied"),
            RefusalRow("expired", .error("expired_token"), .temporary, "code was not entered"),
            RefusalRow("grant refused", .error("invalid_grant"), .loginRequired, "invalid_grant"),
            RefusalRow("client unknown", .error("invalid_client", status: 401), .configuration, "invalid_client"),
            RefusalRow("client not allowed", .error("unauthorized_client"), .configuration, "unauthorized_client"),
            RefusalRow("grant unknown", .error("unsupported_grant_type"), .issuerError, "unsupported_grant_type"),
            RefusalRow("no reason", .body("", status: 400), .loginRequired, "without saying why"),
            RefusalRow("redirected", .page(status: 307), .configuration, "redirects"),
            RefusalRow(
                "another token type", .body(#"{"access_token":"a","token_type":"DPoP"}"#, status: 200),
                .unacceptableAnswer, "DPoP"),
            RefusalRow(
                "no token type", .body(#"{"access_token":"a"}"#, status: 200), .unacceptableAnswer, "token_type"),
            RefusalRow(
                "no ID token", .body(#"{"access_token":"a","token_type":"Bearer"}"#, status: 200), .unacceptableAnswer,
                "id_token"),
        ]

        @Test(arguments: refusalRows)
        func endsAtARefusal(row: RefusalRow) throws {
            let device = try DeviceIssuer(loop: loop, [.error("authorization_pending"), row.answer, .tokens])
            let run = try login(device)
            let complaint = Complaint(try #require(run.error))
            #expect(complaint.exitCode == row.exitCode)
            #expect(complaint.message.contains(row.says), "\(complaint)")
            #expect(device.polls.count == 2)
            #expect(run.saved.isEmpty)
        }

        @Test func endsWithTheCode() throws {
            let device = try DeviceIssuer(loop: loop, [.error("authorization_pending")])
            device.deviceChanges["expires_in"] = 12
            #expect(try login(device).error == .codeNotEntered(seconds: 12))
            #expect(device.polls.count == 2)
        }

        @Test func endsAtTheDeadline() throws {
            let device = try DeviceIssuer(loop: loop, [.error("authorization_pending")])
            #expect(try login(device, deadline: 7).error == .codeNotEntered(seconds: 7))
            #expect(device.polls.count == 1)
        }

        @Test func aDeadlineBeforeTheFirstQuestion() throws {
            let device = try DeviceIssuer(loop: loop)
            #expect(try login(device, deadline: 3).error == .codeNotEntered(seconds: 3))
            #expect(device.polls.isEmpty)
        }

        @Test func tellsWhatWasWrongUntilTheEnd() throws {
            let device = try DeviceIssuer(loop: loop, [.page(status: 503)])
            let run = try login(device, deadline: 30)
            #expect(run.error == .tokenEndpoint(.unavailable(status: 503, retryAfter: nil)))
        }

        @Test func waitsOnWhenNobodyAnswers() throws {
            let device = try DeviceIssuer(loop: loop)
            let closed = try ClosedPort()
            device.issuer.metadataChanges["token_endpoint"] = .string("http://127.0.0.1:\(closed.port)/token")
            let complaint = Complaint(try #require(try login(device, deadline: 30).error))
            #expect(complaint.exitCode == .temporary)
            #expect(complaint.message.contains("connection refused"))
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
        func aSignalEndsTheWait(signal: CInt) throws {
            let device = try DeviceIssuer(loop: loop)
            let start = Clock.monotonic()
            let run = try login(
                device, secondLength: 1, announce: { if case .enterCode = $0 { kill(getpid(), signal) } })
            #expect(run.error == .interrupted(signal))
            #expect(device.polls.isEmpty)
            #expect(Clock.monotonic() - start < 4)
        }

        // MARK: The answer of the device authorization endpoint

        struct DeviceRow: Sendable, CustomTestStringConvertible {
            var name: String
            var changes: [String: JSONValue?] = [:]
            var reply: (status: Int, body: String)?
            var exitCode: ExitCode
            var says: String

            init(_ name: String, _ changes: [String: JSONValue?], _ says: String) {
                (self.name, self.changes, self.says, exitCode) = (name, changes, says, .unacceptableAnswer)
            }

            init(_ name: String, _ status: Int, _ body: String, _ exitCode: ExitCode, _ says: String) {
                (self.name, self.reply, self.exitCode, self.says) = (name, (status, body), exitCode, says)
            }

            var testDescription: String { name }
        }

        private static let deviceRows = [
            DeviceRow("no device code", ["device_code": nil], "device_code"),
            DeviceRow("no user code", ["user_code": nil], "user_code"),
            DeviceRow("an empty user code", ["user_code": ""], "user_code"),
            DeviceRow("no address", ["verification_uri": nil], "verification_uri"),
            DeviceRow("an address without TLS", ["verification_uri": "http://evil.example/device"], "verification_uri"),
            DeviceRow("an address that is a script", ["verification_uri": "javascript:alert(1)"], "verification_uri"),
            DeviceRow("no lifetime", ["expires_in": nil], "expires_in"),
            DeviceRow("a lifetime of nothing", ["expires_in": 0], "expires_in"),
            DeviceRow("a negative lifetime", ["expires_in": -5], "expires_in"),
            DeviceRow("an error", 400, #"{"error":"invalid_client"}"#, .configuration, "invalid_client"),
            DeviceRow("an error with status 200", 200, #"{"error":"invalid_scope"}"#, .configuration, "invalid_scope"),
            DeviceRow("a page", 200, "<html>hello</html>", .temporary, "other than JSON"),
            DeviceRow("a member twice", 200, #"{"user_code":"a","user_code":"b"}"#, .unacceptableAnswer, "twice"),
            DeviceRow("not well", 503, "", .temporary, "not available"),
            DeviceRow("nothing there", 404, "{}", .configuration, "404"),
        ]

        @Test(arguments: deviceRows)
        func refusesAnAnswer(row: DeviceRow) throws {
            let device = try DeviceIssuer(loop: loop)
            device.deviceChanges = row.changes
            device.deviceReply = row.reply.map { .json($0.body, status: $0.status) }
            let run = try login(device)
            let complaint = Complaint(try #require(run.error))
            #expect(complaint.exitCode == row.exitCode, "\(complaint)")
            #expect(complaint.message.contains(row.says), "\(complaint)")
            #expect(run.progress.isEmpty)
            #expect(device.polls.isEmpty)
        }

        @Test func leavesOutACompleteAddressThatIsNotTrustworthy() throws {
            let device = try DeviceIssuer(loop: loop)
            device.deviceChanges["verification_uri_complete"] = "http://evil.example/device?user_code=WDJB-MJHT"
            guard case .enterCode(_, _, complete: nil, _) = try login(device).progress.first else {
                Issue.record("it is shown")
                return
            }
        }

        @Test func wantsItOffered() throws {
            let device = try DeviceIssuer(loop: loop)
            device.issuer.metadataChanges["device_authorization_endpoint"] = .some(nil)
            let run = try login(device)
            #expect(run.error == .deviceFlowNotOffered(issuer: device.issuer.url))
            #expect(run.error.map { Complaint($0).exitCode } == .configuration)
        }

        // MARK: The ID token

        @Test(arguments: [
            ("another audience", ["aud": JSONValue.string("other")]), ("expired", ["exp": 1]),
            ("another issuer", ["iss": "https://evil.example"]), ("a wrong at_hash", ["at_hash": "AAAA"]),
            ("no subject", ["sub": .null]),
        ])
        func validatesTheIDToken(name: String, claims: [String: JSONValue]) throws {
            let device = try DeviceIssuer(loop: loop)
            device.issuer.claimChanges.merge(claims.mapValues { $0 }) { $1 }
            let run = try login(device)
            #expect(run.error.map { Complaint($0).exitCode } == .unacceptableAnswer)
            #expect(run.saved.isEmpty)
        }

        @Test func verifiesTheSignature() throws {
            let device = try DeviceIssuer(loop: loop)
            try device.issuer.rotateKey()
            let run = try login(device)
            #expect(run.error.map { Complaint($0).exitCode } == .unacceptableAnswer)
            #expect(run.saved.isEmpty)
        }
    }
}
