import Foundation
import Program
import TestSupport

/// A process that stands in line for the refresh lock.
///
/// Nothing else in the programs asks again and again: it gives the processor back a hundred times a second, and the
/// kernel tells everybody how often it did, also of a process that hides from debuggers.
enum Waiter {
    /// Waits until a helper has started its `refresh`, and that one stands in line.
    static func wait(forChildOf parent: pid_t, within seconds: Double = 20) throws {
        let deadline = Clock.monotonic() + seconds
        var counted: (process: pid_t, switches: Int)?
        while Clock.monotonic() < deadline {
            if let child = children(of: parent).first, let switches = switches(of: child) {
                guard let first = counted, first.process == child else {
                    counted = (child, switches)
                    continue
                }
                // More than its start and its calls on the bus take.
                if switches - first.switches > 150 { return }
            }
            usleep(5000)
        }
        throw Overdue(description: "nobody waits for the lock on behalf of process \(parent)")
    }

    private static func children(of parent: pid_t) -> [pid_t] {
        let text = (try? KernelSocket.whole("/proc/\(parent)/task/\(parent)/children")) ?? ""
        return text.split(separator: " ").compactMap { pid_t($0) }
    }

    private static func switches(of process: pid_t) -> Int? {
        let status = try? KernelSocket.whole("/proc/\(process)/status")
        return status?.firstMatch(of: /\nvoluntary_ctxt_switches:\s+(\d+)/).flatMap { Int($0.1) }
    }
}
