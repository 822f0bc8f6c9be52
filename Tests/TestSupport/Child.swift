import Foundation
import Program

/// A process that a test started, reaped by a thread of its own so that waiting has a limit.
package final class Child: @unchecked Sendable {
    // Sendable: `status` is touched only with `ended` locked; the rest never changes.
    package let pid: pid_t
    private let ended = NSCondition()
    private var status: Int32?

    init(_ process: ChildProcess) throws {
        pid = try Spawner.shared.spawn(process)
        Thread.detachNewThread { [self] in
            let status = ChildProcess.wait(for: pid)
            ended.lock()
            self.status = status
            ended.broadcast()
            ended.unlock()
        }
    }

    /// Its exit status, or 128 and the signal that ended it; nil when it still runs after `seconds`.
    package func wait(seconds: Double) -> Int32? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        ended.lock()
        defer { ended.unlock() }
        while status == nil {
            guard ended.wait(until: deadline) else { break }
        }
        return status
    }

    package var isRunning: Bool {
        ended.lock()
        defer { ended.unlock() }
        return status == nil
    }

    /// Sends a signal, unless the process has ended and its number may be another's.
    package func signal(_ number: Int32) {
        ended.lock()
        defer { ended.unlock() }
        if status == nil { kill(pid, number) }
    }

    /// Ends it: SIGTERM first, SIGKILL when that is not heard within a second.
    package func stop() {
        signal(SIGTERM)
        signal(SIGCONT)
        if wait(seconds: 1) == nil { signal(SIGKILL) }
        _ = wait(seconds: 5)
    }
}
