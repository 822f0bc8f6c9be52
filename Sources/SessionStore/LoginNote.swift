import Glibc
import OpenIDConnect
import Program

/// A note that something happened a short while ago: a file beside the locks whose time is all that it tells.
package struct LoginNote: Sendable {
    /// For how long a note says something, in seconds.
    package static let pause = 600

    /// A person let a login pass.
    static let abandoned = LoginNote(suffix: "abandoned")
    /// A person was told on the desktop to sign in.
    package static let notified = LoginNote(suffix: "notified")

    private let suffix: String

    private init(suffix: String) {
        self.suffix = suffix
    }

    package func record(_ key: SessionKey, at now: NumericDate) {
        guard let path = path(key) else { return }
        sweep(at: now)
        // Removed first: the time is that of its making, and nothing is written through a link.
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Records it unless it is recent: of any number of processes that ask at once, one is told true.
    ///
    /// - Returns: false also where no note can be made: what is not noted down would be repeated without end.
    package func claim(_ key: SessionKey, at now: NumericDate) -> Bool {
        guard let path = path(key) else { return false }
        sweep(at: now, except: key)
        let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if made >= 0 {
            defer { close(made) }
            return Self.date(made, now)
        }
        // One that says nothing any more: whoever has its lock renews it, and nobody waits for them.
        let found = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard found >= 0 else { return false }
        defer { close(found) }
        var status = stat()
        guard flock(found, LOCK_EX | LOCK_NB) == 0, fstat(found, &status) == 0, !Self.isRecent(status, at: now) else {
            return false
        }
        return Self.date(found, now)
    }

    private static func date(_ descriptor: CInt, _ now: NumericDate) -> Bool {
        let time = timespec(tv_sec: now, tv_nsec: 0)
        return futimens(descriptor, [time, time]) == 0
    }

    package func forget(_ key: SessionKey) {
        guard let path = path(key) else { return }
        unlink(path)
    }

    /// Was it recorded less than ``pause`` ago? A note from the future, which a clock that was set back leaves, does not
    /// count.
    package func isRecent(_ key: SessionKey, at now: NumericDate) -> Bool {
        var status = stat()
        guard let path = path(key), lstat(path, &status) == 0 else { return false }
        return Self.isRecent(status, at: now)
    }

    private static func isRecent(_ status: stat, at now: NumericDate) -> Bool {
        (0..<pause).contains(now - Int(status.st_mtim.tv_sec))
    }

    /// Removes those of the same kind that say nothing any more: nothing may ever come to remove them.
    private func sweep(at now: NumericDate, except key: SessionKey? = nil) {
        guard let folder = try? LockFolder.make() else { return }
        let kept = key.flatMap(path)
        for path in LockFolder.files(folder, endingIn: ".\(suffix)") where path != kept {
            var status = stat()
            if lstat(path, &status) == 0, !Self.isRecent(status, at: now) { unlink(path) }
        }
    }

    private func path(_ key: SessionKey) -> String? {
        (try? LockFolder.make()).map { "\($0)/\(key.lockName).\(suffix)" }
    }
}
