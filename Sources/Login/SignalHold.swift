import CGLib
import Glibc
import Synchronization

/// Holds off SIGINT, SIGTERM and SIGHUP from sending a refresh to saving it.
///
/// By handlers and not by a signal mask: a mask is a thread's, and GIO's threads, which we do not own, would take the
/// signal and end the process.
package final class SignalHold {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// Zero, or the signal that came last. Its handler may run on any thread.
    private static let caught = Atomic<CInt>(0)

    private var previous: [(signal: CInt, action: sigaction)] = []

    /// Holds from now on. There is one hold at a time in a process.
    package init() {
        Self.caught.store(0, ordering: .relaxed)
        for signal in Self.signals {
            var action = sigaction()
            action.sa_flags = SA_RESTART
            action.__sigaction_handler.sa_handler = { SignalHold.caught.store($0, ordering: .relaxed) }
            var before = sigaction()
            guard sigaction(signal, &action, &before) == 0 else { continue }
            previous.append((signal, before))
        }
    }

    deinit {
        release()
    }

    /// A signal that came meanwhile.
    package var pending: CInt? {
        let signal = Self.caught.load(ordering: .relaxed)
        return signal == 0 ? nil : signal
    }

    /// Restores what was before and delivers a signal that came meanwhile.
    package func release() {
        guard !previous.isEmpty else { return }
        for (signal, action) in previous {
            var action = action
            sigaction(signal, &action, nil)
        }
        previous = []
        let signal = Self.caught.exchange(0, ordering: .relaxed)
        if signal != 0 { raise(signal) }
    }
}
