import Foundation
import Testing
import TestSupport

/// What options of `login` come to: in the address that the browser is sent to, and in the keyring.
@Suite(.serialized) struct LoginOptionTests {
    /// The authorization request that a login makes, read from the address it prints.
    private func request(
        _ options: [String], profile: [String: String] = [:]
    ) throws -> [String: String] {
        let world = try World()
        let sandbox = try Sandbox(in: world)
        try world.configure(sandbox, profile: profile)
        let login = try world.start("mojoauth-credential", ["login", "--no-browser"] + options)
        let url = try login.waitForErrors { text in
            text.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+/).map { String($0.output) }
        }
        login.child.signal(SIGINT)
        _ = try login.finish(within: 5)
        let items = try #require(URLComponents(string: url.replacing("+", with: "%20"))?.queryItems)
        return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let options: [String]
        var profile: [String: String] = [:]
        let name: String
        let value: String
        var testDescription: String { options.joined(separator: " ") + " \(profile)" }
    }

    @Test(arguments: [
        Row(options: ["--connection", "google"], name: "connection", value: "google"),
        Row(options: ["--ui-locales", "de fr"], name: "ui_locales", value: "de fr"),
        Row(options: ["--acr-values", "gold"], name: "acr_values", value: "gold"),
        Row(options: ["--prompt", "consent"], name: "prompt", value: "consent"),
        Row(options: ["--login-hint", "a@b.example"], name: "login_hint", value: "a@b.example"),
        Row(options: ["--max-age", "60"], name: "max_age", value: "60"),
        Row(options: ["--param", "theme=dark"], name: "theme", value: "dark"),
        Row(options: ["--param", "x=a=b&c"], name: "x", value: "a=b&c"),
        Row(options: [], profile: ["parameter-theme": "dark"], name: "theme", value: "dark"),
        Row(options: ["--param", "theme=light"], profile: ["parameter-theme": "dark"], name: "theme", value: "light"),
        Row(options: [], profile: ["prompt": "login"], name: "prompt", value: "login"),
        Row(options: ["--prompt", "consent"], profile: ["prompt": "login"], name: "prompt", value: "consent"),
        Row(options: [], profile: ["scopes": "openid"], name: "scope", value: "openid offline_access"),
    ])
    func reachTheIssuer(_ row: Row) throws {
        #expect(try request(row.options, profile: row.profile)[row.name] == row.value)
    }

    @Test func portIsThatOfTheRedirect() throws {
        let port = try FreePort.find()
        #expect(
            try request(["--port", String(port)])["redirect_uri"]?.hasPrefix("http://127.0.0.1:\(port)/") == true)
    }

    @Test(arguments: ["state=x", "redirect_uri=http://x", "code_verifier=x", "grant_type=x", "iss=x", "=x", "x", ""])
    func aParameterOfTheProtocolIsRefused(_ parameter: String) throws {
        let world = try World(.noBus)
        let outcome = try world.run("mojoauth-credential", ["login", "--param", parameter])
        #expect(outcome.exitCode == 64, "\(outcome)")
    }

    @Test func ephemeralIsKeptInMemory() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        try world.configure(sandbox)
        #expect(try world.run("mojoauth-credential", ["login", "--ephemeral"]).exitCode == 0)
        let items = try world.items(["kind": "auth-state"])
        #expect(items.count == 1 && items.allSatisfy { $0.contains("/collection/session/") }, "\(items)")
    }

    /// Nobody looks at whose browser it is: however the issuer is told to ask nobody, the login stays the same person's.
    @Test(arguments: [["--silent"], ["--prompt", "none"], ["--param", "prompt=none"]])
    func silentNeverSignsInAnotherPerson(_ options: [String]) throws {
        let signedIn = try SignedIn()
        let before = try signedIn.state()
        try signedIn.sandbox.startFault("changed-subject")
        let outcome = try signedIn.world.run("mojoauth-credential", ["login"] + options)
        #expect(outcome.exitCode != 0, "\(outcome)")
        #expect(try signedIn.state() == before)
    }

    @Test func jsonNamesTheHosts() throws {
        let signedIn = try SignedIn()
        for command in ["login", "refresh", "status"] {
            let outcome = try signedIn.world.run("mojoauth-credential", [command, "--json"])
            let report = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
            #expect(report?["hosts"] as? [String] == [SignedIn.host], "\(outcome)")
        }
    }

    /// What has become of a browser, where a person asks.
    @Test(arguments: [
        (
            "comes back", "", 0,
            [
                #"started following-browser .* as process \d+"#,
                "a browser came to our own address: sent on", "a browser came to the redirect: taken",
                "the ID token holds", #"stored the login of profile "default""#,
            ]
        ),
        ("goes nowhere", "true %s", 75, [#"started true .* as process \d+"#, #"process \d+ ended with status 0"#]),
        (
            "ends with an error", "false %s", 75,
            [#"started false .* as process \d+"#, "false .* ended at once with status 1"]
        ),
        ("is not there", "no-such-browser %s", 75, ["no-such-browser .* is not installed"]),
    ])
    func verboseTellsOfTheBrowser(_ name: String, _ browser: String, _ exitCode: Int32, _ lines: [String]) throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        try world.configure(sandbox, profile: browser.isEmpty ? [:] : ["browser": browser])
        let outcome = try world.run(
            "mojoauth-credential", ["login", "--verbose", "--timeout", exitCode == 0 ? "30" : "1"])
        #expect(outcome.exitCode == exitCode, "\(outcome)")
        var rest = outcome.errors[...]
        for line in lines {
            let found = rest.firstMatch(of: try Regex(line))
            #expect(found != nil, "\(name), \(line): \(outcome.errors)")
            if let found { rest = rest[found.range.upperBound...] }
        }
        #expect(!outcome.errors.contains("/start/") && !outcome.errors.contains("code="))
    }
}
