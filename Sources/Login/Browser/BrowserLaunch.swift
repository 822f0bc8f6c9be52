import CGLib
import Glibc
import Program

/// A browser on its way up: started detached, watched for two seconds, replaced by the next one if it fails.
///
/// Nobody waits for it; the watch is a source of the loop.
package final class BrowserLaunch {
    /// Those that did not work, in order.
    package private(set) var failures: [BrowserFailure] = []
    /// The one that was started last and has not failed.
    package private(set) var current: BrowserCommand?

    private let loop: EventLoop
    private var candidates: ArraySlice<BrowserCommand>
    private var child: pid_t = 0
    private var startedAt = 0.0
    private var watch: EventSource?

    /// Seconds within which an error of the browser's counts as ours.
    private static let watched = 2.0
    /// How often it is looked at, in seconds.
    private static let interval = 0.05

    private let isVisited: () -> Bool

    /// Starts the first of `commands` that can be started.
    ///
    /// - Parameter isVisited: was the page fetched? Then nothing else is started.
    package init(_ commands: [BrowserCommand], loop: EventLoop, isVisited: @escaping () -> Bool = { false }) {
        self.loop = loop
        self.isVisited = isVisited
        candidates = commands[...]
        startNext()
    }

    /// No browser is left to try.
    package var hasFailed: Bool { current == nil }

    private func fail(_ failure: BrowserFailure) {
        Steps.note("\(failure)")
        failures.append(failure)
    }

    private func startNext() {
        current = nil
        watch = nil
        while let command = candidates.popFirst() {
            guard let path = command.path else {
                fail(BrowserFailure(command: command, reason: .notFound))
                continue
            }
            var program = ChildProcess(path: path, arguments: command.arguments)
            program.environment = ProcessEnvironment.entries(withoutPrefixes: ["GIT_", "MOJOAUTH_", "LD_"])
            program.errors = .null
            do {
                child = try program.spawn()
            } catch {
                let why = String(cString: strerror(error.errno))
                fail(BrowserFailure(command: command, reason: .notStarted(why)))
                continue
            }
            Steps.note("started \(command.name) (\(command.source.rawValue)) as process \(child)")
            current = command
            startedAt = Clock.monotonic()
            watch = loop.timer(after: Self.interval, repeats: true) { [unowned self] in look() }
            return
        }
    }

    private func look() {
        var status: CInt = 0
        switch waitpid(child, &status, WNOHANG) {
        case 0:
            if Clock.monotonic() - startedAt > Self.watched {
                Steps.note("process \(child) still runs, and is not looked at any more")
                watch?.cancel()
            }
        case child:
            let code = ChildProcess.decode(status: status)
            // Success at once: it handed the address to a browser that was open already.
            guard code != 0, let command = current else {
                Steps.note("process \(child) ended with status \(code)")
                watch?.cancel()
                return
            }
            // Somebody has the page: another window would be one too many.
            guard !isVisited() else {
                Steps.note("process \(child) ended with status \(code), after the page was asked for")
                watch?.cancel()
                return
            }
            fail(BrowserFailure(command: command, reason: .exited(code)))
            startNext()
        default: watch?.cancel()
        }
    }
}
