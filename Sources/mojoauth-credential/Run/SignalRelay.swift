import CGLib
import Glibc
import Synchronization

/// Passes signals on to one child, so that this process outlives it.
///
/// By handlers and not by a signal mask: a mask is a thread's, and GIO has threads of its own.
enum SignalRelay {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    /// Zero before there is a child, negative once it has ended. Handlers may run on any thread.
    private static let child = Atomic<pid_t>(0)
    /// What the child must still be told: a bit for each of ``signals``.
    private static let waiting = Atomic<UInt8>(0)

    /// `si_code` of what the kernel itself sends: Ctrl-C goes to all processes at the terminal, the child among them.
    private static let fromKernel: CInt = 0x80

    /// Holds signals from now on; those that the caller ignores (nohup) stay ignored.
    static func begin() {
        child.store(0, ordering: .sequentiallyConsistent)
        waiting.store(0, ordering: .sequentiallyConsistent)
        // A caller that ignores it would leave no status to ask for.
        signal(SIGCHLD, SIG_DFL)
        for number in signals {
            var before = sigaction()
            let isIgnored =
                sigaction(number, nil, &before) == 0 && before.sa_flags & SA_SIGINFO == 0
                && unsafeBitCast(before.__sigaction_handler.sa_handler as __sighandler_t?, to: Int.self)
                    == unsafeBitCast(SIG_IGN as __sighandler_t?, to: Int.self)
            if isIgnored { continue }
            var action = sigaction()
            action.sa_flags = SA_SIGINFO | SA_RESTART
            action.__sigaction_handler.sa_sigaction = { number, info, _ in SignalRelay.take(number, info) }
            sigaction(number, &action, nil)
        }
    }

    private static func take(_ number: CInt, _ info: UnsafeMutablePointer<siginfo_t>?) {
        let process = child.load(ordering: .sequentiallyConsistent)
        if process < 0 || (process > 0 && info?.pointee.si_code == fromKernel) { return }
        if let place = signals.firstIndex(of: number) {
            waiting.bitwiseOr(1 << UInt8(place), ordering: .sequentiallyConsistent)
        }
        deliver()
    }

    /// Passes them to `process`, first those that came before there was a child.
    static func pass(to process: pid_t) {
        child.store(process, ordering: .sequentiallyConsistent)
        deliver()
    }

    /// Called after either was stored: whichever thread comes second sees both, and one alone takes each signal.
    private static func deliver() {
        let process = child.load(ordering: .sequentiallyConsistent)
        guard process > 0 else { return }
        let numbers = waiting.exchange(0, ordering: .sequentiallyConsistent)
        for (place, number) in signals.enumerated() where numbers & 1 << UInt8(place) != 0 { kill(process, number) }
    }

    /// The child has ended, and its number may soon be another's.
    static func end() {
        child.store(-1, ordering: .sequentiallyConsistent)
    }
}
