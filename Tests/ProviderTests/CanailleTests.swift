import Testing
import TestSupport

extension ProviderTests {
    @Suite(.serialized, .browser, .canaille) struct CanailleTests {
        private let canaille: Canaille

        init() throws {
            canaille = try #require(SharedCanaille.current).get()
        }

        /// Without scripts: those of canaille ask the server about a field while it is typed, and an answer that comes
        /// late puts the session of before in the place of the new one.
        private func visit(as clientID: String? = nil) throws -> Visit {
            let visit = try Visit(at: canaille, in: World(), clientID: clientID)
            try visit.browser.disableScripts()
            return visit
        }

        private func signedIn() throws -> Visit {
            let visit = try visit()
            try logIn(visit)
            return visit
        }

        private func logIn(_ visit: Visit) throws {
            let outcome = try visit.logIn { try $0.signInToCanaille() }
            try #require(outcome.exitCode == 0, "\(outcome)\n\(canaille.log)")
        }

        /// A token that canaille issues within the second of the one before is the same, and it fails on that.
        private func waitForTheNextSecond(_ visit: Visit) throws {
            try visit.world.run("sleep", ["1.1"])
        }

        @Test(.flow(Canaille.self, "login", "signed in; auth_time with a fraction is read"))
        func login() throws {
            let visit = try visit()
            let outcome = try visit.logIn(["--max-age", "600"]) { try $0.signInToCanaille() }.timed()
            try #require(outcome.exitCode == 0, "\(outcome)\n\(canaille.log)")
            #expect(outcome.text == "signed in as \(Alice.email) (profile \"default\")\n")
            let state = try visit.state()
            let time = try #require(try state.claim("auth_time") as? Double)
            #expect(time != time.rounded())
            #expect(try visit.gitPassword() == state.accessToken)
            let person = try visit.run("whoami")
            #expect(person.text.contains(Alice.name) && person.text.contains(Alice.email), "\(person)")
        }

        @Test(.flow(Canaille.self, "leave denied, then given", "130 and nothing stored; then signed in"))
        func leave() throws {
            let visit = try visit(as: Canaille.askingClient)
            let denied = try visit.logIn {
                try $0.signInToCanaille()
                try $0.denyAtCanaille()
            }
            #expect(denied.exitCode == 130, "\(denied)\n\(canaille.log)")
            #expect(try visit.stored() == nil)
            let outcome = try visit.logIn { try $0.acceptAtCanaille() }.timed()
            #expect(outcome.exitCode == 0, "\(outcome)\n\(canaille.log)")
        }

        @Test(.flow(Canaille.self, "ID token for nobody", "exit 76 (OpenID Connect Core 3.1.3.7, item 3)"))
        func idTokenForNobody() throws {
            let visit = try visit(as: Canaille.clientWithoutAudience)
            let outcome = try visit.logIn { try $0.signInToCanaille() }.timed()
            #expect(outcome.exitCode == 76, "\(outcome)\n\(canaille.log)")
            #expect(outcome.errors.contains("the ID token is for nobody"), "\(outcome)")
            #expect(try visit.stored() == nil)
            #expect(try visit.world.items([:]).isEmpty)
        }

        @Test(.flow(Canaille.self, "refresh", "token rotated"))
        func refreshRotates() throws {
            let visit = try signedIn()
            let before = try visit.state()
            try waitForTheNextSecond(visit)
            let outcome = try visit.run("refresh").timed()
            #expect(outcome.exitCode == 0, "\(outcome)\n\(canaille.log)")
            let after = try visit.state()
            #expect(after.accessToken != before.accessToken && after.accessToken != nil)
            #expect(after.refreshToken != before.refreshToken && after.refreshToken != nil)
            #expect(after.idToken != nil)
        }

        @Test(.flow(Canaille.self, "two refreshes in one second", "HTTP 500: exit 75, tokens kept, and good later"))
        func refreshTwiceWithinOneSecond() throws {
            let visit = try signedIn()
            try waitForTheNextSecond(visit)
            var outcome = try visit.run("refresh")
            var before = try visit.stored()
            // Two commands may fall into two seconds: the next pair then will not.
            for _ in 1...10 where outcome.exitCode == 0 {
                before = try visit.stored()
                outcome = try visit.run("refresh").timed()
            }
            #expect(outcome.exitCode == 75, "\(outcome)\n\(canaille.log)")
            #expect(outcome.errors.contains("status 500"), "\(outcome)")
            #expect(try visit.stored() == before)
            try waitForTheNextSecond(visit)
            let later = try visit.run("refresh")
            #expect(later.exitCode == 0, "\(later)\n\(canaille.log)")
        }

        @Test(.flow(Canaille.self, "a spent refresh token", "invalid_grant: exit 77, the login is over"))
        func spentRefreshToken() throws {
            let visit = try signedIn()
            let old = try visit.state()
            try waitForTheNextSecond(visit)
            #expect(try visit.run("refresh").exitCode == 0)
            var mixed = try visit.state()
            mixed.refreshToken = old.refreshToken
            try visit.replace(mixed)
            let outcome = try visit.run("refresh").timed()
            #expect(outcome.exitCode == 77, "\(outcome)\n\(canaille.log)")
            #expect(outcome.errors.contains("invalid_grant"), "\(outcome)")
            let state = try visit.state()
            #expect(state.error == "invalid_grant" && state.refreshToken == nil)
            #expect(try visit.gitPassword() == nil)
            // What is said helps.
            let again = try visit.logIn()
            #expect(again.exitCode == 0, "\(again)")
            #expect(try visit.gitPassword() != nil)
        }

        @Test(
            .flow(
                Canaille.self, "login --silent",
                "signed in with a session; else 76, for its errors lack iss (RFC 9207, 2)"))
        func silentLogin() throws {
            let visit = try visit()
            let strangers = try visit.logIn(["--silent"])
            expectMissingIssuer(strangers)
            #expect(try visit.stored() == nil)

            try logIn(visit)
            let before = try visit.state()
            try waitForTheNextSecond(visit)
            let outcome = try visit.logIn(["--silent"]).timed()
            #expect(outcome.exitCode == 0, "\(outcome)\n\(canaille.log)")
            #expect(try visit.state().accessToken != before.accessToken)

            let kept = try visit.stored()
            try visit.browser.forgetCookies()
            let signedOut = try visit.logIn(["--silent"])
            expectMissingIssuer(signedOut)
            #expect(try visit.stored() == kept)
        }

        /// canaille promises `iss` in every answer and leaves it out of `login_required`, so nobody can tell whose
        /// answer that is: it is not taken for the issuer's.
        private func expectMissingIssuer(_ outcome: Outcome) {
            #expect(outcome.exitCode == 76, "\(outcome)\n\(canaille.log)")
            #expect(outcome.errors.contains("RFC 9207 section 2"), "\(outcome)")
        }

        @Test(.flow(Canaille.self, "logout", "forgotten here; that the issuer refused to revoke is said"))
        func logout() throws {
            let visit = try signedIn()
            let outcome = try visit.run("logout").timed()
            #expect(outcome.exitCode == 75, "\(outcome)\n\(canaille.log)")
            #expect(outcome.text.contains("signed out"), "\(outcome)")
            #expect(outcome.errors.contains("gone from the keyring"), "\(outcome)")
            #expect(outcome.errors.contains("the issuer refused: invalid_client"), "\(outcome)")
            #expect(try visit.stored() == nil)
        }

        @Test(.flow(Canaille.self, "logout --browser", "signed out at the issuer too, and back"))
        func logoutInBrowser() throws {
            let visit = try signedIn()
            let outcome = try visit.runWithBrowser(["logout", "--browser"]) { _ in }.timed()
            // The tokens are refused revocation, as in every logout here; the browser's part is done.
            #expect(outcome.exitCode == 75, "\(outcome)")
            #expect(outcome.text.contains("signed out"), "\(outcome)")
            #expect(!outcome.errors.contains("the browser may still be signed in"), "\(outcome)\n\(canaille.log)")
            #expect(try visit.stored() == nil)
            expectMissingIssuer(try visit.logIn(["--silent"]))
        }
    }
}
