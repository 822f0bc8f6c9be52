import Testing
import TestSupport

extension ProviderTests {
    @Suite(.serialized, .browser) struct GlewlwydTests {
        private let visit: Visit
        private let glewlwyd: Glewlwyd

        init() throws {
            let world = try World()
            glewlwyd = try Glewlwyd(in: world)
            visit = try Visit(at: glewlwyd, in: world)
        }

        private func logIn() throws {
            let outcome = try visit.logIn {
                try $0.signInToGlewlwyd()
                try $0.grantAtGlewlwyd(["profile", "email"])
            }
            try #require(outcome.exitCode == 0, "\(outcome)\n\(glewlwyd.log)")
        }

        @Test(.flow(Glewlwyd.self, "login", "signed in; ID token and iss verified"))
        func login() throws {
            let outcome = try visit.logIn {
                try $0.signInToGlewlwyd()
                try $0.grantAtGlewlwyd(["profile", "email"])
            }.timed()
            try #require(outcome.exitCode == 0, "\(outcome)\n\(glewlwyd.log)")
            #expect(outcome.text == "signed in as \(Alice.email) (profile \"default\")\n")
            let state = try visit.state()
            #expect(state.scope?.split(separator: " ").sorted() == ["email", "openid", "profile"])
            #expect(state.refreshToken != nil)
            #expect(try visit.gitPassword() == state.accessToken)
            let person = try visit.run("whoami")
            #expect(person.text.contains(Alice.name) && person.text.contains(Alice.email), "\(person)")
        }

        @Test(.flow(Glewlwyd.self, "login, scopes left unticked", "signed in with what was granted"))
        func loginWithFewerScopesThanAsked() throws {
            let outcome = try visit.logIn {
                try $0.signInToGlewlwyd()
                try $0.grantAtGlewlwyd([])
            }.timed()
            #expect(outcome.exitCode == 0, "\(outcome)\n\(glewlwyd.log)")
            #expect(try visit.state().scope == "openid")
            #expect(try visit.gitPassword() == visit.state().accessToken)
            let refresh = try visit.run("refresh")
            #expect(refresh.exitCode == 0, "\(refresh)")
            #expect(try visit.state().scope == "openid")
        }

        @Test(.flow(Glewlwyd.self, "refresh", "token rotated; the ID token is kept, for none comes"))
        func refreshRotates() throws {
            try logIn()
            var before = try visit.state()
            for _ in 1...3 {
                let outcome = try visit.run("refresh").timed()
                #expect(outcome.exitCode == 0, "\(outcome)\n\(glewlwyd.log)")
                let after = try visit.state()
                #expect(after.accessToken != before.accessToken && after.accessToken != nil)
                #expect(after.refreshToken != before.refreshToken && after.refreshToken != nil)
                #expect(after.idToken == before.idToken && after.idToken != nil)
                before = after
            }
            let person = try visit.run("whoami", "--refresh")
            #expect(person.exitCode == 0 && person.text.contains(Alice.email), "\(person)")
        }

        @Test(.flow(Glewlwyd.self, "a spent refresh token", "refused without a reason: exit 77, tokens kept"))
        func spentRefreshTokenEndsTheFamily() throws {
            try logIn()
            let old = try visit.state()
            #expect(try visit.run("refresh").exitCode == 0)
            let new = try visit.state()
            var mixed = new
            mixed.refreshToken = old.refreshToken
            // The spent one first; then the good one, which its reappearance has revoked.
            for (name, state) in [("spent", mixed), ("revoked", new)] {
                try visit.replace(state)
                let before = try visit.stored()
                let outcome = try visit.run("refresh").timed()
                #expect(outcome.exitCode == 77, "\(name): \(outcome)\n\(glewlwyd.log)")
                #expect(outcome.errors.contains("refused without saying why"), "\(name): \(outcome)")
                #expect(outcome.errors.contains("run mojoauth-credential login"), "\(name): \(outcome)")
                #expect(try visit.stored() == before, "\(name)")
            }
            // What is said helps.
            let again = try visit.logIn { try $0.grantAtGlewlwyd([]) }
            #expect(again.exitCode == 0, "\(again)")
            #expect(try visit.run("refresh").exitCode == 0)
        }

        @Test(.flow(Glewlwyd.self, "key rotation between logins", "verified by the new key, ES256 after RS256"))
        func keyRotationBetweenLogins() throws {
            try logIn()
            let before = try visit.state()
            #expect(try before.idTokenHeader("alg") == "RS256")
            try glewlwyd.administration.rotateKey(to: .ec)
            // The login that stands is as good as before.
            let refresh = try visit.run("refresh")
            #expect(refresh.exitCode == 0, "\(refresh)\n\(glewlwyd.log)")
            let outcome = try visit.logIn { try $0.grantAtGlewlwyd([]) }.timed()
            #expect(outcome.exitCode == 0, "\(outcome)\n\(glewlwyd.log)")
            let after = try visit.state()
            #expect(try after.idTokenHeader("alg") == "ES256")
            #expect(try after.idTokenHeader("kid") != before.idTokenHeader("kid"))
        }

        @Test(.flow(Glewlwyd.self, "key rotation during a login", "verified by the new key"))
        func keyRotationDuringLogin() throws {
            let outcome = try visit.logIn {
                try $0.signInToGlewlwyd()
                try glewlwyd.administration.rotateKey(to: .rsa)
                try $0.grantAtGlewlwyd(["email"])
            }.timed()
            #expect(outcome.exitCode == 0, "\(outcome)\n\(glewlwyd.log)")
        }

        @Test(.flow(Glewlwyd.self, "login --silent", "77 without a session, signed in with one"))
        func silentLogin() throws {
            let strangers = try visit.logIn(["--silent"])
            #expect(strangers.exitCode == 77, "\(strangers)\n\(glewlwyd.log)")
            #expect(try visit.stored() == nil)

            try logIn()
            let before = try visit.state()
            let outcome = try visit.logIn(["--silent"]).timed()
            #expect(outcome.exitCode == 0, "\(outcome)\n\(glewlwyd.log)")
            #expect(try visit.state().accessToken != before.accessToken)

            let kept = try visit.stored()
            try visit.browser.forgetCookies()
            let signedOut = try visit.logIn(["--silent"])
            #expect(signedOut.exitCode == 77, "\(signedOut)")
            #expect(try visit.stored() == kept)
        }

        @Test(.flow(Glewlwyd.self, "login --device", "code typed on another device; signed in"))
        func deviceLogin() throws {
            let login = try visit.world.start("mojoauth-credential", ["login", "--device"])
            let (address, code) = try login.waitForErrors {
                $0.firstMatch(of: /open (\S+)\nand enter the code (\S+)\n/).map { (String($0.1), String($0.2)) }
            }
            let phone = visit.browser
            try phone.open(address)
            try phone.typeDeviceCodeAtGlewlwyd(code)
            try phone.signInToGlewlwyd()
            try phone.grantAtGlewlwyd(["email"])
            let outcome = try login.finish(within: 30).timed()
            #expect(outcome.exitCode == 0, "\(outcome)\n\(glewlwyd.log)")
            #expect(outcome.text == "signed in as \(Alice.email) (profile \"default\")\n")
            #expect(try visit.gitPassword() == visit.state().accessToken)
            let refresh = try visit.run("refresh")
            #expect(refresh.exitCode == 0, "\(refresh)\n\(glewlwyd.log)")
        }

        @Test(.flow(Glewlwyd.self, "logout", "forgotten here; that the issuer refused to revoke is said"))
        func logout() throws {
            try logIn()
            let outcome = try visit.run("logout").timed()
            #expect(outcome.exitCode == 75, "\(outcome)\n\(glewlwyd.log)")
            #expect(outcome.text.contains("signed out"), "\(outcome)")
            #expect(outcome.errors.contains("gone from the keyring"), "\(outcome)")
            #expect(outcome.errors.contains("the issuer refused without saying why (status 401)"), "\(outcome)")
            #expect(try visit.stored() == nil)
        }

        @Test(.flow(Glewlwyd.self, "logout --browser", "signed out at the issuer too, and back"))
        func logoutInBrowser() throws {
            try logIn()
            let outcome = try visit.runWithBrowser(["logout", "--browser"]) { try $0.endSessionAtGlewlwyd() }.timed()
            // The tokens are refused revocation, as in every logout here; the browser's part is done.
            #expect(outcome.exitCode == 75, "\(outcome)")
            #expect(outcome.text.contains("signed out"), "\(outcome)")
            #expect(!outcome.errors.contains("the browser may still be signed in"), "\(outcome)\n\(glewlwyd.log)")
            #expect(try visit.stored() == nil)
            let silent = try visit.logIn(["--silent"])
            #expect(silent.exitCode == 77, "\(silent)")
        }
    }
}
