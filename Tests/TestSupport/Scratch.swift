import Foundation

/// A folder of a test's own, removed at its end. Its path is short: a socket's path holds 107 bytes.
package final class Scratch: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/ma.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw MissingPart(description: "no scratch folder under /tmp: \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // Servers that run as another user pass through; what is private below is 0700 of its own.
        chmod(path, 0o711)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a folder below, with its parents.
    @discardableResult
    package func folder(_ name: String, mode: mode_t = 0o700) throws -> String {
        let folder = path(name)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, mode)
        return folder
    }

    /// Writes a file below, with its parents.
    @discardableResult
    package func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        let file = path(name)
        let parent = (file as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        chmod(file, mode)
        return file
    }

    package func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(name))), as: UTF8.self)
    }
}
