import Foundation
import Program

/// The one thread that starts every child of a test process.
///
/// A parent-death signal strikes when the *thread* that started the child ends, and the threads that run tests come and
/// go; this one lives as long as the process.
package final class Spawner: @unchecked Sendable {
    // Sendable: `jobs` is touched only with `condition` locked.
    private let condition = NSCondition()
    private var jobs: [@Sendable () -> Void] = []

    package static let shared = Spawner()

    private init() {
        Thread.detachNewThread { [self] in
            while true { next()() }
        }
    }

    /// Starts a child on the lasting thread.
    package func spawn(_ child: ChildProcess) throws -> pid_t {
        let answer = Answer()
        condition.lock()
        jobs.append { answer.give(Result { try child.spawn() }) }
        condition.signal()
        condition.unlock()
        return try answer.take().get()
    }

    private func next() -> @Sendable () -> Void {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty { condition.wait() }
        return jobs.removeFirst()
    }

    private final class Answer: @unchecked Sendable {
        // Sendable: the semaphore orders the one write before the one read.
        private let ready = DispatchSemaphore(value: 0)
        private var result: Result<pid_t, any Error> = .failure(CancellationError())

        func give(_ value: Result<pid_t, any Error>) {
            result = value
            ready.signal()
        }

        func take() -> Result<pid_t, any Error> {
            ready.wait()
            return result
        }
    }
}
