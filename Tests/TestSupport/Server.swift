import Foundation
import Program

/// A server that a test started. It dies with the test process, whatever becomes of that.
package final class Server {
    package let name: String
    package let child: Child
    private let output: OutputLog

    /// - Parameters:
    ///   - input: a file's path; nil is an empty input.
    init(_ program: String, _ arguments: [String], environment: [String: String], input: String? = nil) throws {
        name = (program as NSString).lastPathComponent
        let setpriv = try Tool.setpriv.path()
        let output = try OutputLog()
        self.output = output
        defer { output.begin() }
        var process = ChildProcess(
            path: setpriv, arguments: ["setpriv", "--pdeathsig", "KILL", "--", program] + arguments)
        process.environment = environment.map { "\($0.key)=\($0.value)" }
        process.output = .descriptor(output.writing)
        process.errors = .descriptor(output.writing)
        if let input {
            let descriptor = open(input, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw MissingPart(description: "cannot open \(input)") }
            defer { close(descriptor) }
            process.input = .descriptor(descriptor)
            child = try Child(process)
        } else {
            child = try Child(process)
        }
    }

    deinit {
        child.stop()
    }

    package var log: String { output.text }

    /// Waits until a line of its output says what is asked for.
    ///
    /// - Throws: ``Overdue`` with the whole output, also as soon as the server has ended.
    package func waitForLine<Answer>(
        _ what: String, seconds: Double = 20, _ find: (String) -> Answer?
    ) throws(Overdue) -> Answer {
        guard let answer = output.first(within: seconds, find) else {
            throw Overdue(description: "\(name): \(what) did not come within \(seconds) s; its output was:\n\(log)")
        }
        return answer
    }
}
