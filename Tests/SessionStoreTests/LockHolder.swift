import Foundation

/// Another process that holds a lock file: util-linux's flock(1), which knows nothing of us.
final class LockHolder {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Returns once the lock is held.
    init(_ path: String) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        // The file's descriptor is closed in the command, so that the lock is flock's alone. The command says that it
        // runs, and later when it ended.
        let script = "echo held; read -r line; cat /proc/uptime"
        process.arguments = ["--close", path, "sh", "-c", script]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        guard output.fileHandleForReading.availableData == Data("held\n".utf8) else { throw CocoaError(.fileLocking) }
    }

    /// Lets go.
    ///
    /// - Returns: seconds since the machine started, just before.
    func release() throws -> Double {
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: " ").first.flatMap { Double($0) } ?? 0
    }

    /// Lets go once `seconds` are over, from a thread of its own.
    func release(after seconds: Double) {
        nonisolated(unsafe) let end = input.fileHandleForWriting
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: seconds)
            try? end.close()
        }
    }

    /// Ends without a word: the kernel lets go of the lock.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? input.fileHandleForWriting.close()
    }
}
