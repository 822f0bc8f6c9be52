import Foundation
import Testing
import TestSupport

/// Every page that a person may see, in a real browser, light and dark: complete, readable, and without a script.
@Suite(.serialized) struct PageTests {
    /// A browser, an issuer, and a profile whose browser is the test.
    private struct Stage {
        let world: World
        let sandbox: Sandbox
        let stub: BrowserStub
        let browser: Chromium
        let scheme: String

        init(dark: Bool) throws {
            world = try World()
            sandbox = try Sandbox(in: world)
            stub = try BrowserStub(in: world)
            try world.configure(sandbox, browser: stub)
            browser = try Chromium(in: world)
            try browser.prefer(dark: dark)
            scheme = dark ? "dark" : "light"
        }

        func expectGood(_ name: String, says words: String...) throws {
            for word in words { try browser.waitForText(word) }
            #expect(try PageCheck.faults(in: browser, keep: "\(name)-\(scheme)") == [], "\(name) \(scheme)")
        }

        /// A login whose page is open.
        func login() throws -> Execution {
            let login = try world.start("mojoauth-credential", ["login"])
            try browser.open(stub.url())
            return login
        }

        /// A login that waits for a yes or a no.
        func loginAtConsent() throws -> Execution {
            let login = try login()
            try browser.type("bob@example.com", into: "#email")
            try browser.click("#continue")
            try browser.type(browser.text("#shown-code"), into: "#code")
            try browser.click("#continue")
            return login
        }
    }

    @Test(arguments: [false, true]) func signingIn(dark: Bool) throws {
        let stage = try Stage(dark: dark)
        let browser = stage.browser
        let login = try stage.login()
        try stage.expectGood("sign-in", says: "E-mail address")
        #expect(try PageCheck.focusFaults(in: browser, after: "#email") == [])
        try browser.type("alice.example@example.com", into: "#email")
        try browser.click("#continue")
        let code = try browser.text("#shown-code")
        try stage.expectGood("code", says: "6-digit code")
        try browser.type(code == "000000" ? "111111" : "000000", into: "#code")
        try browser.click("#continue")
        try stage.expectGood("code-wrong", says: "That code is not right")
        #expect(
            try browser.evaluate("return document.querySelector('#code').getAttribute('aria-describedby')") as? String
                == "remark")
        try browser.type(code, into: "#code")
        try browser.click("#continue")
        try stage.expectGood("consent", says: "Allow", "Alice Example")
        #expect(try PageCheck.focusFaults(in: browser, after: "#allow") == [])
        try browser.click("#allow")
        try stage.expectGood(
            "signed-in", says: "Signed in", "Alice Example", "alice.example@example.com", "default",
            "You can close this tab")
        #expect(try login.finish(within: 20).exitCode == 0)
    }

    @Test(arguments: [false, true]) func endingOtherwise(dark: Bool) throws {
        let stage = try Stage(dark: dark)
        let browser = stage.browser

        let denied = try stage.loginAtConsent()
        try browser.click("#deny")
        try stage.expectGood("denied", says: "Not signed in", "Nothing was changed")
        #expect(try denied.finish(within: 20).exitCode == 130)

        // What the terminal says, the page says too.
        try stage.sandbox.startFault("wrong-nonce")
        let failed = try stage.login()
        try browser.click("#allow")
        try stage.expectGood(
            "failed", says: "Sign-in failed", "What happened", "nonce", "What to do", "Nothing was saved")
        #expect(try failed.finish(within: 20).exitCode == 76)
        try stage.sandbox.stopFault("wrong-nonce")

        // Neither an answer that is not ours nor a second visit ends the login that waits.
        let waiting = try stage.world.start("mojoauth-credential", ["login"])
        let start = try stage.stub.url()
        let origin = try #require(start.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)).output
        try browser.open("\(origin)/callback?code=c&state=of-another-login")
        try stage.expectGood("wrong-login", says: "Another sign-in", "goes on")
        try browser.open("\(origin)/elsewhere")
        try stage.expectGood("not-found", says: "Nothing here")
        try browser.forgetCookies()
        try browser.open(start)
        try browser.waitForText("E-mail address")
        try browser.open(start)
        try stage.expectGood("expired", says: "Used already", "goes on")
        #expect(waiting.child.isRunning)
        waiting.child.signal(SIGINT)
        #expect(try waiting.finish(within: 20).exitCode == 130)
    }

    @Test(arguments: [false, true]) func signingOut(dark: Bool) throws {
        let stage = try Stage(dark: dark)
        let browser = stage.browser
        let login = try stage.loginAtConsent()
        try browser.click("#allow")
        #expect(try login.finish(within: 20).exitCode == 0)

        let logout = try stage.world.start("mojoauth-credential", ["logout", "--browser"])
        try browser.open(stage.stub.url())
        try stage.expectGood("signed-out", says: "Signed out")
        #expect(try logout.finish(within: 20).exitCode == 0)
    }

    @Test(arguments: [false, true]) func besideTheWay(dark: Bool) throws {
        let stage = try Stage(dark: dark)
        for (name, path, words) in [
            ("welcome", "/", "An OpenID provider"), ("device", "/device", "Code on the device"),
            ("no-page", "/nowhere", "There is no such page"),
            ("unknown-client", "/oauth/authorize?client_id=nobody", "nobody"),
        ] {
            try stage.browser.open(stage.sandbox.issuer + path)
            try stage.expectGood(name, says: words)
        }
    }

    /// The check itself: each fault of a page is found.
    @Test func checkSeesFaults() throws {
        let world = try World(.noBus)
        let browser = try Chromium(in: world)
        let bad = """
            <html><body><main style='color:%23888;background:%23999'>grey<input id=x></main><main></main>\
            <svg></svg><p style='width:900px'>wide</p></body></html>
            """
        try browser.open("data:text/html,\(bad.replacingOccurrences(of: " ", with: "%20"))")
        let found = try PageCheck.faults(in: browser, keep: "bad")
        for fault in [
            "no lang", "no title", "not one h1", "not one main", "a thing from elsewhere", "wider than 320",
            "no label for x", "a picture without words",
        ] { #expect(found.contains(fault), "\(found)") }
        #expect(found.contains { $0.hasPrefix("contrast ") && $0.hasSuffix(": grey") }, "\(found)")
    }
}
