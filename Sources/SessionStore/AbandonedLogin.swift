import Glibc
import OpenIDConnect

/// The note that a person let a login pass: denied it, interrupted it or did not come in time. For ten minutes no helper
/// opens another browser for it, or every `git fetch` of an editor would.
///
/// A file beside the locks whose time is all that it tells.
package enum AbandonedLogin {
    /// In seconds.
    package static let pause = 600

    package static func record(_ key: SessionKey, at now: NumericDate) {
        guard let path = path(key) else { return }
        sweep(at: now)
        // Removed first: the time is that of its making, and nothing is written through a link.
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// A login was completed.
    package static func forget(_ key: SessionKey) {
        guard let path = path(key) else { return }
        unlink(path)
    }

    /// Was the login abandoned less than ``pause`` ago? A note from the future, which a clock that was set back leaves,
    /// does not count.
    package static func isRecent(_ key: SessionKey, at now: NumericDate) -> Bool {
        var status = stat()
        guard let path = path(key), lstat(path, &status) == 0 else { return false }
        return isRecent(status, at: now)
    }

    private static func isRecent(_ status: stat, at now: NumericDate) -> Bool {
        (0..<pause).contains(now - Int(status.st_mtim.tv_sec))
    }

    /// Removes the notes of other logins that say nothing any more: no login may ever come to remove them.
    private static func sweep(at now: NumericDate) {
        guard let folder = try? SessionLock.folder(), let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard name.hasSuffix(".\(suffix)"), fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                !isRecent(status, at: now)
            else { continue }
            unlinkat(dirfd(directory), name, 0)
        }
    }

    private static let suffix = "abandoned"

    private static func path(_ key: SessionKey) -> String? {
        (try? SessionLock.folder()).map { "\($0)/\(key.lockName).\(suffix)" }
    }
}
