import Testing
import TestSupport

/// git against a server that verifies our token by the issuer's key set.
@Suite(.serialized) struct GitTests {
    @Test func clonesAndPushesWithOneLogin() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        let git = try GitServer(in: world, keySet: sandbox.keySet)
        let url = try git.makeRepository("private")
        try world.useHelperForGit()

        // Before the entry and the login: refused, and nobody is asked for a password.
        #expect(try world.clone(url, into: "refused").exitCode == 128)

        try world.configure(sandbox, hosts: [git.origin: [:]])
        let login = try world.run("mojoauth-credential", ["login"])
        #expect(login.exitCode == 0, "\(login)")
        let clone = try world.clone(url, into: "one")
        #expect(clone.exitCode == 0, "\(clone)\n\(git.log)")
        #expect(try world.scratch.read("one/README") == "hello\n")
        let push = try world.push(from: "one", file: "NEWS")
        #expect(push.exitCode == 0, "\(push)\n\(git.log)")

        // A second clone without any browser, with what was pushed.
        let logins = try sandbox.tokenRequests("authorization_code")
        #expect(try world.clone(url, into: "two").exitCode == 0)
        #expect(try world.scratch.read("two/NEWS") == "NEWS\n")
        #expect(try sandbox.tokenRequests("authorization_code") == logins)

        #expect(try world.run("mojoauth-credential", ["logout"]).exitCode == 0)
        #expect(try world.clone(url, into: "three").exitCode == 128)
    }

    @Test func staleTokenIsRenewedInsideTheClone() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com", "--access-lifetime", "6"])
        let git = try GitServer(in: world, keySet: sandbox.keySet)
        let url = try git.makeRepository("private")
        try world.useHelperForGit()
        try world.configure(sandbox, profile: ["min-lifetime": "5"], hosts: [git.origin: [:]])
        #expect(try world.run("mojoauth-credential", ["login"]).exitCode == 0)
        try world.run("sleep", ["3.2"])
        let clone = try world.clone(url, into: "one")
        #expect(clone.exitCode == 0, "\(clone)\n\(git.log)")
        #expect(try sandbox.refreshes() == 1)
    }

    @Test func configureWritesWhatGitNeedsForOneHost() throws {
        let world = try World()
        let sandbox = try Sandbox(in: world, ["--auto", "alice@example.com"])
        let git = try GitServer(in: world, keySet: sandbox.keySet)
        let url = try git.makeRepository("private")
        try world.configure(sandbox, hosts: [git.origin: [:]])
        #expect(try world.run("mojoauth-credential", ["login"]).exitCode == 0)
        let configured = try world.run("mojoauth-credential", ["configure", "git", git.origin])
        #expect(configured.exitCode == 0, "\(configured)")
        // An empty line first: no other helper is asked for this host.
        let lines = try world.run(
            .git, ["config", "--global", "--get-all", "credential.\(git.origin).helper"])
        #expect(lines.text == "\nmojoauth\n", "\(lines)")
        #expect(try world.clone(url, into: "one").exitCode == 0)
    }
}
