import CGLib
import Glibc

/// Holds off SIGINT, SIGTERM and SIGHUP from sending a refresh to saving it.
///
/// By handlers and not by a signal mask: a mask is a thread's, and GIO's threads, which we do not own, would take the
/// signal and end the process.
package final class SignalHold {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// Written by the handler, so nothing but a plain store to memory that exists already.
    private nonisolated(unsafe) static let caught: UnsafeMutablePointer<sig_atomic_t> = {
        let pointer = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
        pointer.initialize(to: 0)
        return pointer
    }()

    private var previous: [(signal: CInt, action: sigaction)] = []

    /// Holds from now on. There is one hold at a time in a process.
    package init() {
        Self.caught.pointee = 0
        for signal in Self.signals {
            var action = sigaction()
            action.sa_flags = SA_RESTART
            action.__sigaction_handler.sa_handler = { SignalHold.caught.pointee = $0 }
            var before = sigaction()
            guard sigaction(signal, &action, &before) == 0 else { continue }
            previous.append((signal, before))
        }
    }

    deinit {
        release()
    }

    /// A signal that came meanwhile.
    package var pending: CInt? { Self.caught.pointee == 0 ? nil : Self.caught.pointee }

    /// Restores what was before and delivers a signal that came meanwhile.
    package func release() {
        guard !previous.isEmpty else { return }
        for (signal, action) in previous {
            var action = action
            sigaction(signal, &action, nil)
        }
        previous = []
        if let signal = pending {
            Self.caught.pointee = 0
            raise(signal)
        }
    }
}
