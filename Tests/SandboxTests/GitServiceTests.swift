import Foundation
import JSON
import Sandbox
import Testing
import WebAddress

/// Repositories for bearers of tokens.
@Suite struct GitServiceTests {
    private func git(_ arguments: [String], in folder: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-c", "credential.helper="] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder,
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.c",
            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b.c",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test func clonesAndPushesWithATokenAlone() throws {
        let folder = NSTemporaryDirectory() + "sandbox-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/repos", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try git(["init", "-q", "--bare", "repos/a.git"], in: folder) == 0)

        let sandbox = try RunningSandbox(["--auto", "alice@example.com", "--git", folder + "/repos"])
        var client = try TestClient(sandbox)
        let refs = "/git/a.git/info/refs?service=git-upload-pack"
        let challenge = try client.send("GET", refs)
        #expect(challenge.status == 401)
        #expect(challenge.values("WWW-Authenticate") == [#"Bearer realm="git""#, #"Basic realm="git""#])
        let tokens = try client.logIn()
        let accessToken = try #require(tokens["access_token"]?.string)
        let idToken = try #require(tokens["id_token"]?.string)
        let refreshToken = try #require(tokens["refresh_token"]?.string)
        for (token, status) in [
            (accessToken, 200), (idToken, 200), (refreshToken, 401), ("x", 401), (accessToken + "A", 401),
        ] {
            #expect(try client.send("GET", refs, headers: [("Authorization", "Bearer \(token)")]).status == status)
        }
        let bearer = [("Authorization", "Bearer \(accessToken)")] as [(name: String, value: String)]
        #expect(
            try client.send("GET", "/git/none.git/info/refs?service=git-upload-pack", headers: bearer).status == 404)
        #expect(try client.send("GET", "/git/%2e%2e/ready", headers: bearer).status == 404)
        try sandbox.turnOn("git-refuse")
        #expect(try client.send("GET", refs, headers: bearer).status == 401)
        try sandbox.turnOff("git-refuse")

        let address = sandbox.issuer.replacing("http://", with: "http://oauth2:\(accessToken)@") + "/git/a.git"
        #expect(try git(["clone", "-q", address, "one"], in: folder) == 0)
        // Larger than every buffer on the way, and not compressible.
        let noise = try #require(
            try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/urandom")).read(upToCount: 6_000_000))
        try noise.write(to: URL(fileURLWithPath: folder + "/one/noise"))
        #expect(try git(["add", "."], in: folder + "/one") == 0)
        #expect(try git(["commit", "-q", "-m", "noise"], in: folder + "/one") == 0)
        #expect(try git(["push", "-q", "origin", "HEAD:refs/heads/main"], in: folder + "/one") == 0)
        #expect(try git(["clone", "-q", "-b", "main", address, "two"], in: folder) == 0)
        #expect(FileManager.default.contents(atPath: folder + "/two/noise") == noise)
        #expect(try git(["clone", "-q", sandbox.issuer + "/git/a.git", "three"], in: folder) != 0)
    }
}
