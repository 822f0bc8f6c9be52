import Foundation
import JSON
import Program
import Sandbox
import TestSupport
import Testing
import WebAddress

/// `mojoauth-sandbox serve` in a folder of its own, stopped when the last reference goes, and with this process.
///
/// Sendable: all members are constants, and the sandbox takes requests from anybody at any time.
final class RunningSandbox: Sendable {
    let issuer: String
    let control: String
    let folder: String
    private let process: pid_t

    static let program: String = {
        let folder = ProcessInfo.processInfo.environment["MOJOAUTH_BIN"] ?? ChildProcess.ownDirectory() ?? "."
        return folder + "/mojoauth-sandbox"
    }()

    init(_ options: [String] = []) throws {
        folder = NSTemporaryDirectory() + "sandbox-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let ready = folder + "/ready"
        var child = ChildProcess(
            path: Self.program,
            arguments: [
                "mojoauth-sandbox", "serve", "--die-with-parent", "--ready-file", ready, "--log", folder + "/log",
            ] + options)
        child.errors = .null
        // By the thread that lasts: one that tests share has no last reference to go.
        process = try Spawner.shared.spawn(child)
        let object = try Self.wait(for: ready, of: process)
        issuer = try #require(object["issuer"]?.string)
        control = try #require(object["control"]?.string)
    }

    /// The ready file appears in one step: it is there and whole, or not yet.
    private static func wait(for file: String, of process: pid_t) throws -> JSONObject {
        let deadline = Clock.monotonic() + 20
        while Clock.monotonic() < deadline {
            if let data = FileManager.default.contents(atPath: file) {
                return try #require(try JSONValue(parsing: data).object)
            }
            try #require(kill(process, 0) == 0, "the sandbox ended before it was ready")
            usleep(5000)
        }
        throw Complaint("the sandbox is not ready after 20 seconds", exitCode: .temporary)
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Its exit status after SIGTERM.
    @discardableResult
    func stop(_ signal: Int32 = SIGTERM) -> Int32 {
        kill(process, signal)
        return ChildProcess.wait(for: process)
    }

    var log: String {
        String(decoding: FileManager.default.contents(atPath: folder + "/log") ?? Data(), as: UTF8.self)
    }

    func url(_ path: String) throws -> WebURL {
        try #require(WebURL(issuer + path))
    }

    func turnOn(_ fault: String, value: String? = nil) throws {
        var query = FormFields()
        query.append("value", value)
        try change("PUT", try url("/sandbox/faults/\(fault)").adding(query: query))
    }

    func turnOff(_ fault: String) throws {
        try change("DELETE", try url("/sandbox/faults/\(fault)"))
    }

    private func change(_ method: String, _ url: WebURL) throws {
        let answer = try LoopbackClient().send(method, url, headers: [("Authorization", "Bearer \(control)")])
        try #require(answer.status == 204, "\(answer.text)")
    }
}
