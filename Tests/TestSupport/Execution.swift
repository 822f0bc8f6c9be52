import Foundation
import Program

/// A program that was started and will end by itself. Its output goes to files, so that neither a full pipe nor a
/// grandchild that keeps one open can hold it up.
package final class Execution {
    package let child: Child
    private let name: String
    private let files: String
    private let began = Clock.monotonic()

    init(
        _ path: String, _ arguments: [String], name: String, input: String, environment: [String: String],
        in scratch: Scratch
    ) throws {
        self.name = ([name] + arguments).joined(separator: " ")
        files = try scratch.folder("exec/\(UUID().uuidString)")
        try Data(input.utf8).write(to: URL(fileURLWithPath: "\(files)/in"))
        var descriptors: [CInt] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        for (name, flags) in [("in", O_RDONLY), ("out", O_WRONLY | O_CREAT), ("err", O_WRONLY | O_CREAT)] {
            let descriptor = open("\(files)/\(name)", flags | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw MissingPart(description: "cannot open \(files)/\(name)") }
            descriptors.append(descriptor)
        }
        var process = ChildProcess(path: path, arguments: [(name as NSString).lastPathComponent] + arguments)
        process.environment = environment.map { "\($0.key)=\($0.value)" }
        process.input = .descriptor(descriptors[0])
        process.output = .descriptor(descriptors[1])
        process.errors = .descriptor(descriptors[2])
        child = try Child(process)
    }

    deinit {
        child.signal(SIGKILL)
        try? FileManager.default.removeItem(atPath: files)
    }

    /// What it has written to stdout so far.
    package var outputSoFar: [UInt8] { contents("out") }

    /// What it has written to stderr so far.
    package var errorsSoFar: String { String(decoding: contents("err"), as: UTF8.self) }

    /// Waits until what it has written to stderr gives an answer.
    ///
    /// - Throws: ``Overdue`` at the limit, or when it ends without.
    package func waitForErrors<Answer>(
        within seconds: Double = 20, _ find: (String) -> Answer?
    ) throws(Overdue) -> Answer {
        let deadline = Clock.monotonic() + seconds
        // Output goes to a file, and a file tells nobody of its growth.
        while Clock.monotonic() < deadline {
            let isLast = !child.isRunning
            if let answer = find(errorsSoFar) { return answer }
            if isLast { break }
            usleep(2000)
        }
        throw Overdue(description: "`\(name)` did not say what was waited for; stderr so far:\n\(errorsSoFar)")
    }

    /// Waits for its end.
    ///
    /// - Throws: ``Overdue`` at the limit; it is killed then.
    package func finish(within seconds: Double = 60) throws(Overdue) -> Outcome {
        guard let status = child.wait(seconds: seconds) else {
            child.signal(SIGKILL)
            throw Overdue(description: "`\(name)` still ran after \(seconds) s; stderr so far:\n\(errorsSoFar)")
        }
        return Outcome(
            exitCode: status, output: contents("out"), errors: errorsSoFar, seconds: Clock.monotonic() - began)
    }

    private func contents(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: "\(files)/\(name)").map { Array($0) } ?? []
    }
}
