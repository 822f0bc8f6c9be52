import Foundation
import Glibc

/// A thread that takes, removes and lets go of a lock file as fast as it can, as many short-lived processes would.
final class BusyHolder: @unchecked Sendable {
    // Guarded by `guarding`.
    private var isStopped = false
    private let guarding = NSLock()
    private let ended = DispatchSemaphore(value: 0)

    init(_ path: String) {
        Thread.detachNewThread { [self] in
            while !guarding.withLock({ isStopped }) { Self.visit(path) }
            ended.signal()
        }
    }

    private static func visit(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0, opened.st_ino == named.st_ino else { return }
        unlink(path)
    }

    func stop() {
        guarding.withLock { isStopped = true }
        ended.wait()
    }
}
