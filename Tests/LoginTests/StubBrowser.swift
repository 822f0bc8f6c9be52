import Foundation

/// Shell scripts in a folder of their own that stand for browsers.
struct StubBrowser {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "login-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    func file(_ name: String) -> String { folder.appending(path: name).path }

    func text(_ name: String) -> String? { try? String(contentsOfFile: file(name), encoding: .utf8) }

    /// Writes a script and makes it executable.
    func script(_ name: String, _ body: String) throws -> String {
        try Data("#!/bin/sh\n\(body)\n".utf8).write(to: URL(filePath: file(name)))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file(name))
        return file(name)
    }

    /// Follows the redirects as a browser does and keeps the last page.
    func follower(_ name: String = "browser") throws -> String {
        try script(name, "exec curl -sSL --noproxy '*' --max-time 20 -o '\(file("page"))' \"$1\" 2>'\(file("error"))'")
    }
}
