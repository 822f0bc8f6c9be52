import CGLib
import Glibc
import Program
import Testing

/// Another process that holds a lock file: util-linux's flock(1), which knows nothing of us.
final class LockHolder: Sendable {
    private let process: pid_t
    private let command: (reading: CInt, writing: CInt)
    private let words: (reading: CInt, writing: CInt)

    /// Returns once the lock is held.
    init(_ path: String) throws {
        command = try Self.pipe()
        words = try Self.pipe()
        // The file's descriptor is closed in the command, so that the lock is flock's alone. The command says that it
        // runs, waits for the end of its input, and says when that came.
        var child = ChildProcess(
            path: "/usr/bin/flock",
            arguments: ["flock", "--close", path, "sh", "-c", "echo held; read -r line; cat /proc/uptime"])
        child.input = .descriptor(command.reading)
        child.output = .descriptor(words.writing)
        process = try child.spawn()
        close(command.reading)
        close(words.writing)
        var line = [UInt8](repeating: 0, count: 5)
        let count = read(words.reading, &line, line.count)
        try #require(count == 5 && line == Array("held\n".utf8))
    }

    private static func pipe() throws -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [-1, -1]
        try #require(g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0)
        return (ends[0], ends[1])
    }

    /// Has it let go, without a wait.
    func release() {
        close(command.writing)
    }

    /// Waits for its end.
    ///
    /// - Returns: seconds since the machine started, just before it let go.
    func end() throws -> Double {
        let text = String(decoding: try StandardStream.read(descriptor: words.reading, limit: 1000), as: UTF8.self)
        close(words.reading)
        _ = ChildProcess.wait(for: process)
        return try #require(text.split(separator: " ").first.flatMap { Double($0) })
    }

    /// Ends it without a word: the kernel lets go of the lock.
    func kill() throws {
        Glibc.kill(process, SIGKILL)
        _ = ChildProcess.wait(for: process)
        release()
        close(words.reading)
    }
}
