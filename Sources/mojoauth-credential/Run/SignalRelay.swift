import CGLib
import Glibc

/// Passes signals on to one child, so that this process outlives it.
///
/// By handlers and not by a signal mask: a mask is a thread's, and GIO has threads of its own.
enum SignalRelay {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    // Read and written by the handler, so nothing but plain memory that exists already.
    private nonisolated(unsafe) static let child = slot()
    private nonisolated(unsafe) static let waiting = slot()

    private static func slot() -> UnsafeMutablePointer<sig_atomic_t> {
        let pointer = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
        pointer.initialize(to: 0)
        return pointer
    }

    /// `si_code` of what the kernel itself sends: Ctrl-C goes to all processes at the terminal, the child among them.
    private static let fromKernel: CInt = 0x80

    /// Holds signals from now on; those that the caller ignores (nohup) stay ignored.
    static func begin() {
        (child.pointee, waiting.pointee) = (0, 0)
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
        if child.pointee == 0 {
            waiting.pointee = number
        } else if child.pointee > 0, info?.pointee.si_code != fromKernel {
            kill(child.pointee, number)
        }
    }

    /// Passes them to `process`, first one that came before there was a child.
    static func pass(to process: pid_t) {
        child.pointee = process
        if waiting.pointee != 0 { kill(process, waiting.pointee) }
    }

    /// The child has ended, and its number may soon be another's.
    static func end() {
        child.pointee = -1
    }
}
