import CGLib
import Glibc
import Program

/// A lock between all processes of one user for one login.
///
/// Its file lies in the home folder that the passwd database names, so that HOME, TMPDIR and XDG variables cannot make
/// two processes use two locks, and never in a folder shared with others.
package final class SessionLock {
    package enum Purpose: String, Sendable {
        /// From re-reading the state to saving its successor. Never held while a browser is open.
        case refresh
        /// While a login waits for a person.
        case login
    }

    private let file: FileLock

    /// Somebody else held it when it was asked for.
    package let hasWaited: Bool

    private init(_ file: FileLock, hasWaited: Bool) {
        self.file = file
        self.hasWaited = hasWaited
    }

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - seconds: how long at most; 0 tries once.
    /// - Throws: `lockTimedOut` when another process kept it, `lockFolder` when there is no place for the file.
    package static func acquire(
        _ key: SessionKey, _ purpose: Purpose, within seconds: Double
    ) throws(SessionStoreError) -> SessionLock {
        let folder: String
        do throws(LockFolder.Failure) {
            folder = try LockFolder.make()
        } catch {
            throw .lockFolder(path: error.path, reason: error.reason)
        }
        let path = "\(folder)/\(key.lockName).\(purpose.rawValue)"
        let deadline = g_get_monotonic_time() + gint64(seconds * 1e6)
        var hasWaited = false
        while true {
            switch FileLock.take(path) {
            case .taken(let file):
                Steps.note(
                    "took the \(purpose.rawValue) lock of profile \"\(key.profile)\"\(hasWaited ? " after a wait" : "")"
                )
                return SessionLock(file, hasWaited: hasWaited)
            case .removed:
                hasWaited = true
                continue
            case .foreign: throw .lockFolder(path: folder, reason: "a lock file in it belongs to somebody else")
            case .failed(let reason): throw .lockFolder(path: folder, reason: String(cString: strerror(reason)))
            case .held: break
            }
            guard g_get_monotonic_time() < deadline else { throw .lockTimedOut(seconds: seconds) }
            hasWaited = true
            // flock has no time limit of its own, and a signal to end it would be the whole process's.
            usleep(pollInterval)
        }
    }

    /// In microseconds.
    private static let pollInterval: UInt32 = 10_000
}
