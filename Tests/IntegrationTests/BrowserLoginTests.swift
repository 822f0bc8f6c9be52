import Foundation
import Testing
import TestSupport

/// The login as a person makes it: a real browser, the hosted page, typing and clicking, down to the loopback redirect.
@Suite(.serialized) struct BrowserLoginTests {
    @Test func typingAndClickingThroughTheLoginPage() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world)
        let stub = try BrowserStub(in: world)
        try world.configure(sandbox, hosts: [SignedIn.host: [:]], browser: stub)
        let login = try world.start("mojoauth-credential", ["login"])
        let browser = try Chromium(in: world)
        try browser.open(stub.url())

        try browser.signIn(email: "alice@example.com")
        let outcome = try login.finish(within: 20)
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(
            outcome.errors.contains("alice@example.com") || outcome.text.contains("alice@example.com"), "\(outcome)")

        // One item with exactly the five attributes, and the page told the truth after it was saved.
        let items = try world.items(["application": "mojoauth-credential"])
        #expect(items.count == 1)
        let item = try #require(items.first)
        #expect(
            try world.attributes(ofItem: item) == [
                "xdg:schema": "com.mojoauth.Credential", "application": "mojoauth-credential", "kind": "auth-state",
                "profile": "default", "issuer": sandbox.issuer, "client_id": sandbox.clientID,
            ])
        #expect(try world.label(ofItem: item).hasPrefix("MojoAuth login: default ("))
        let answer = try world.gitCredential("get", SignedIn.host)
        #expect(answer.attributes["password"]?.split(separator: ".").count == 3, "\(answer)")
    }

    @Test func addressThatTheBrowserGetsHidesStateAndNonce() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world)
        let stub = try BrowserStub(in: world)
        try world.configure(sandbox, browser: stub)
        let login = try world.start("mojoauth-credential", ["login"])
        let url = try stub.url()
        #expect(url.hasPrefix("http://127.0.0.1:"))
        #expect(!url.contains("state=") && !url.contains("nonce="))
        let redirect = try world.http("GET", url)
        #expect((300..<400).contains(redirect.status))
        #expect(redirect.headers["location"]?.hasPrefix("\(sandbox.issuer)/oauth/authorize?") == true, "\(redirect)")
        #expect(redirect.headers["location"]?.contains("code_challenge_method=S256") == true)
        // Answered once; a later visit is told so and ends nothing.
        #expect(try world.http("GET", url).headers["location"] == nil)
        #expect(login.child.isRunning)
        login.child.signal(SIGINT)
        let outcome = try login.finish(within: 5)
        #expect(outcome.exitCode == 130, "\(outcome)")
        #expect(try world.items([:]).isEmpty)
    }

    @Test func requestsThatAreNotOursEndNothing() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        let stub = try BrowserStub(in: world)
        try world.configure(sandbox, browser: stub)
        let login = try world.start("mojoauth-credential", ["login"])
        let url = try stub.url()
        let origin = try #require(url.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)).output
        for path in ["/favicon.ico", "/callback", "/callback?error=access_denied", "/callback?code=x&state=y"] {
            let answer = try world.http("GET", origin + path)
            #expect((400..<500).contains(answer.status), "\(path): \(answer)")
        }
        let other = try world.http("GET", "\(origin)/callback?code=x&state=y", headers: ["Host": "evil.example"])
        #expect(other.status == 403)
        #expect(login.child.isRunning)
        // The real one still arrives.
        let page = try follow(url, in: world)
        #expect(try login.finish(within: 20).exitCode == 0, "\(page)")
    }

    @Test func loginThatNobodyMakesEndsAtItsDeadline() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world)
        try world.configure(sandbox, browser: BrowserStub(in: world))
        let outcome = try world.run("mojoauth-credential", ["login", "--timeout", "1"])
        #expect(outcome.exitCode == 75, "\(outcome)")
        #expect(outcome.seconds < 4, "\(outcome)")
        #expect(outcome.errors.contains("mojoauth-credential: error: "))
        #expect(outcome.errors.contains("mojoauth-credential: hint: "))
        // Perhaps the redirect URI was never registered: the exact one is named.
        #expect(outcome.errors.contains(/http:\/\/127\.0\.0\.1:\d+\/callback/))
        #expect(try world.items([:]).isEmpty)
    }

    /// The page is sent after exchange, checks and save: whoever has it sees the process end.
    @Test func waitsForThreeMinutesAndEndsWithThePage() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        let stub = try BrowserStub(in: world)
        try world.configure(sandbox, browser: stub)
        let login = try world.start("mojoauth-credential", ["login"])
        let url = try stub.url()
        // It waits before it says so: the browser may be here first.
        _ = try login.waitForErrors { $0.contains("waiting up to 180 s") ? true : nil }
        try follow(url, in: world)
        #expect(try login.finish(within: 1).exitCode == 0)
    }

    @Test func withoutABrowserTheIssuersWholeAddressIsPrinted() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        try world.configure(sandbox)
        let login = try world.start("mojoauth-credential", ["login", "--no-browser"])
        let url = try login.waitForErrors { text in
            text.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+/).map { String($0.output) }
        }
        #expect(url.contains("code_challenge_method=S256"))
        try follow(url, in: world)
        let outcome = try login.finish(within: 20)
        #expect(outcome.exitCode == 0, "\(outcome)")
    }

    /// Goes where the page leads, as a browser that is signed in at the issuer does.
    @discardableResult
    private func follow(_ url: String, in world: World) throws -> Outcome {
        try world.run(
            .curl, ["--silent", "--location", "--noproxy", "*", "--cookie-jar", world.scratch.path("jar"), url])
    }
}
