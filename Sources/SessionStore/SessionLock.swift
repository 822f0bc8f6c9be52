import CGLib
import Glibc
import Program

/// A lock between all processes of one user for one login: an flock on a file of its own.
///
/// The file lies in the home folder that the passwd database names, so that HOME, TMPDIR and XDG variables cannot make
/// two processes use two locks, and never in a folder shared with others. The kernel lets go of it when its holder
/// ends, however that happens.
package final class SessionLock {
    package enum Purpose: String, Sendable {
        /// From re-reading the state to saving its successor. Never held while a browser is open.
        case refresh
        /// While a login waits for a person.
        case login
    }

    private let descriptor: CInt
    private let path: String

    /// Somebody else held it when it was asked for.
    package let hasWaited: Bool

    private init(descriptor: CInt, path: String, hasWaited: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.hasWaited = hasWaited
    }

    deinit {
        // Unlinked while it is held; whoever waits on the old file notices and opens the new one.
        unlink(path)
        close(descriptor)
    }

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - seconds: how long at most; 0 tries once.
    /// - Throws: `lockTimedOut` when another process kept it, `lockFolder` when there is no place for the file.
    package static func acquire(
        _ key: SessionKey, _ purpose: Purpose, within seconds: Double
    ) throws(SessionStoreError) -> SessionLock {
        let folder = try folder()
        let path = "\(folder)/\(key.lockName).\(purpose.rawValue)"
        let deadline = g_get_monotonic_time() + gint64(seconds * 1e6)
        var hasWaited = false
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw .lockFolder(path: folder, reason: String(cString: strerror(errno))) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                let found = place(of: descriptor, path)
                if found == .current {
                    Steps.note(
                        "took the \(purpose.rawValue) lock of profile \"\(key.profile)\"\(hasWaited ? " after a wait" : "")"
                    )
                    return SessionLock(descriptor: descriptor, path: path, hasWaited: hasWaited)
                }
                close(descriptor)
                // Its holder removed it meanwhile: the next try opens its successor.
                if found == .removed {
                    hasWaited = true
                    continue
                }
                throw .lockFolder(path: folder, reason: "a lock file in it belongs to somebody else")
            }
            let reason = errno
            close(descriptor)
            guard reason == EWOULDBLOCK || reason == EINTR else {
                throw .lockFolder(path: folder, reason: String(cString: strerror(reason)))
            }
            guard g_get_monotonic_time() < deadline else { throw .lockTimedOut(seconds: seconds) }
            hasWaited = true
            // flock has no time limit of its own, and a signal to end it would be the whole process's.
            usleep(pollInterval)
        }
    }

    /// In microseconds.
    private static let pollInterval: UInt32 = 10_000

    private enum Place {
        /// The file that the path names.
        case current
        case removed
        case foreign
    }

    /// What has become of the file that we locked.
    private static func place(of descriptor: CInt, _ path: String) -> Place {
        var opened = stat()
        var named = stat()
        guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0, opened.st_ino == named.st_ino,
            opened.st_dev == named.st_dev
        else { return .removed }
        return opened.st_uid == geteuid() ? .current : .foreign
    }

    /// The user's home folder as the passwd database has it.
    private static func home() -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        // The entry points into it.
        let size = 16384
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
        defer { buffer.deallocate() }
        guard getpwuid_r(geteuid(), &entry, buffer, size, &found) == 0, found != nil else { return nil }
        return entry.pw_dir.map { String(cString: $0) }
    }

    /// The folder of the lock files, made where it is missing.
    static func folder() throws(SessionStoreError) -> String {
        guard let home = home() else {
            throw .lockFolder(path: "the home folder", reason: "the user has none")
        }
        return try folder(below: home)
    }

    /// - Parameter home: the user's home folder.
    static func folder(below home: String) throws(SessionStoreError) -> String {
        var path = home
        for part in [".local", "state", "mojoauth-credential", "lock"] {
            path += "/" + part
            if mkdir(path, 0o700) != 0, errno != EEXIST {
                throw .lockFolder(path: path, reason: String(cString: strerror(errno)))
            }
        }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else { throw .lockFolder(path: path, reason: "not a folder of yours alone") }
        // One that others may only look into, say from a backup, is made what it should be.
        if status.st_mode & 0o7777 != 0o700, chmod(path, 0o700) != 0 {
            throw .lockFolder(path: path, reason: String(cString: strerror(errno)))
        }
        return path
    }
}
