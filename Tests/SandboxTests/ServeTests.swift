import Foundation
import JSON
import Program
import Sandbox
import Testing
import WebAddress

/// The program around the issuer: files, signals, options.
@Suite struct ServeTests {
    struct Run {
        var status: Int32
        var output: String
        var errors: String
    }

    static func run(_ arguments: [String]) throws -> Run {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: RunningSandbox.program)
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Run(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaint, as: UTF8.self))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        var status: Int32 = 64
        var mentions = "mojoauth-sandbox: error: "
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(name: "no command", arguments: [], mentions: "Usage"),
        Row(name: "unknown command", arguments: ["sevre"], mentions: "did you mean"),
        Row(name: "unknown option", arguments: ["serve", "--nope"]),
        Row(name: "argument too many", arguments: ["serve", "x"], mentions: "unexpected"),
        Row(name: "all addresses", arguments: ["serve", "--address", "0.0.0.0"], mentions: "loopback"),
        Row(name: "another address", arguments: ["serve", "--address", "192.0.2.1"], mentions: "loopback"),
        Row(name: "a name as address", arguments: ["serve", "--address", "localhost"], mentions: "loopback"),
        Row(name: "port is a word", arguments: ["serve", "--port", "http"]),
        Row(name: "port too high", arguments: ["serve", "--port", "65536"]),
        Row(name: "negative lifetime", arguments: ["serve", "--access-lifetime", "-1"]),
        Row(name: "auto is nobody", arguments: ["serve", "--auto", "alice"], mentions: "alice"),
        Row(name: "unknown fault", arguments: ["serve", "--fault", "dney"], mentions: "did you mean deny"),
        Row(name: "fault at no number", arguments: ["serve", "--fault", "deny@x"]),
        Row(name: "fault at zero", arguments: ["serve", "--fault", "deny@0"]),
        Row(name: "tls without a key", arguments: ["serve", "--tls", "cert.pem"], mentions: "key"),
        Row(name: "no such certificate", arguments: ["serve", "--tls", "/nowhere/c", "/nowhere/k"], status: 78),
        Row(name: "log in no folder", arguments: ["serve", "--log", "/nowhere/log"], status: 1),
        Row(name: "ready file in no folder", arguments: ["serve", "--ready-file", "/nowhere/ready"], status: 1),
        Row(name: "browse nothing", arguments: ["browse"]),
        Row(name: "browse no address", arguments: ["browse", "nowhere"]),
        Row(
            name: "browse another machine", arguments: ["browse", "http://192.0.2.1/"], mentions: "not on this machine"),
        Row(name: "faults with a word", arguments: ["faults", "x"]),
    ])
    func refuses(_ row: Row) throws {
        let run = try Self.run(row.arguments)
        #expect(run.status == row.status)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(row.mentions), "\(run.errors)")
    }

    @Test func helpIsAnAnswer() throws {
        for arguments in [
            ["--help"], ["serve", "--help"], ["browse", "--help"], ["faults", "--help"], ["--version"],
        ] {
            let run = try Self.run(arguments)
            #expect(run.status == 0 && !run.output.isEmpty && run.errors.isEmpty, "\(arguments)")
        }
    }

    @Test func faultsAreListedOncePerLine() throws {
        let run = try Self.run(["faults"])
        let names = run.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(names.count >= 45)
        #expect(Set(names).count == names.count)
        #expect(names.map(String.init) == Fault.table.map(\.name))
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func signalsEndItCleanly(_ signal: Int32) throws {
        let sandbox = try RunningSandbox()
        let idle = try TestClient(sandbox)
        #expect(sandbox.stop(signal) == 0)
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder + "/ready"))
        withExtendedLifetime(idle) {}
    }

    @Test func aBusyPortIsTemporary() throws {
        let sandbox = try RunningSandbox()
        let port = try #require(WebURL(sandbox.issuer)?.origin.port)
        let run = try Self.run(["serve", "--port", String(port)])
        #expect(run.status == 75)
        #expect(run.errors.contains("port \(port)"))
    }

    @Test func filesAreTheOwnersAlone() throws {
        let sandbox = try RunningSandbox()
        for name in ["ready", "log"] {
            let mode = try FileManager.default.attributesOfItem(atPath: sandbox.folder + "/" + name)[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
        }
    }

    @Test func theLogHasEveryRequestAndNoSecret() throws {
        let sandbox = try RunningSandbox(["--auto", "alice@example.com"])
        var client = try TestClient(sandbox)
        let code = try client.code()
        let tokens = try client.object(of: try client.token(client.redemption(of: code)))
        let refreshed = try client.object(
            of: try client.token(client.refresh(with: tokens["refresh_token"]?.string ?? "")))
        _ = try client.send("GET", "/oauth/userinfo", headers: [("Authorization", "Bearer x")])
        try sandbox.turnOn("token-500")
        _ = try client.token(client.refresh(with: "x"))

        let lines = try sandbox.log.split(separator: "\n").map { try #require(try JSONValue(parsing: $0.utf8).object) }
        #expect(
            lines.map { $0["path"]?.string } == [
                "/oauth/authorize", "/oauth2/token", "/oauth2/token", "/oauth/userinfo", "/sandbox/faults/token-500",
                "/oauth2/token",
            ])
        #expect(lines.map { $0["status"]?.integer } == [303, 200, 200, 401, 204, 500])
        #expect(lines[1]["grant_type"] == "authorization_code" && lines[2]["grant_type"] == "refresh_token")
        #expect(lines[5]["faults"] == ["token-500"])
        let secrets =
            [code, "the-state", "the-nonce", TestClient.verifier, sandbox.control, "alice"]
            + [tokens, refreshed].flatMap { answer in
                ["access_token", "refresh_token", "id_token"].compactMap { answer[$0]?.string }
            }
        for secret in secrets { #expect(!sandbox.log.contains(secret)) }
    }

    @Test func theControlSecretIsAskedFor() throws {
        let sandbox = try RunningSandbox()
        var client = try TestClient(sandbox)
        let right = [("Authorization", "Bearer \(sandbox.control)")] as [(name: String, value: String)]
        let wrong = [("Authorization", "Bearer guess")] as [(name: String, value: String)]
        #expect(try client.send("PUT", "/sandbox/faults/deny").status == 401)
        #expect(try client.send("PUT", "/sandbox/faults/deny", headers: wrong).status == 401)
        #expect(try client.send("PUT", "/sandbox/faults/nothing", headers: right).status == 404)
        #expect(try client.send("PUT", "/sandbox/faults/deny?at=0", headers: right).status == 400)
        #expect(try client.send("POST", "/sandbox/faults/deny", headers: right).status == 405)
        #expect(try client.send("GET", "/sandbox/faults", headers: right).text == #"{"faults":[]}"#)
        #expect(try client.send("PUT", "/sandbox/faults/deny", headers: right).status == 204)
        #expect(try client.send("GET", "/sandbox/faults", headers: right).text == #"{"faults":["deny"]}"#)
        #expect(try client.send("DELETE", "/sandbox/faults/deny", headers: right).status == 204)
        #expect(try client.send("GET", "/sandbox/faults", headers: right).text == #"{"faults":[]}"#)
    }

    @Test func itEndsWithItsParent() throws {
        let folder = NSTemporaryDirectory() + "sandbox-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The shell ends as soon as the sandbox is ready; the sandbox holds the pipe until it ends, too.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c",
            """
            "$0" serve --die-with-parent --ready-file "$1" &
            for _ in $(seq 500); do [ ! -e "$1" ] || exit 0; sleep 0.02; done; exit 1
            """,
            RunningSandbox.program, folder + "/ready",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        #expect(try output.fileHandleForReading.readToEnd() ?? Data() == Data())
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func itSpeaksTLS() throws {
        let folder = NSTemporaryDirectory() + "sandbox-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key", "-out",
            folder + "/cert",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let sandbox = try RunningSandbox(["--tls", folder + "/cert", folder + "/key"])
        #expect(sandbox.issuer.hasPrefix("https://127.0.0.1:"))
        var client = try TestClient(sandbox)
        #expect(
            try client.object(of: try client.send("GET", "/.well-known/openid-configuration"))["issuer"]?.string
                == sandbox.issuer)
        let answer = try client.send("GET", client.authorization(["redirect_uri": "http://127.0.0.1:8000/callback"]))
        #expect(answer.values("Set-Cookie").allSatisfy { $0.contains("; Secure") })
    }

    @Test func manyClientsAtOnceAreServed() throws {
        let sandbox = try RunningSandbox()
        let clients = try (0..<60).map { _ in try LoopbackClient() }
        // The second round finds no descriptor kept from the first.
        for client in clients + clients { #expect(try client.send("GET", try sandbox.url("/")).status == 200) }
    }
}
