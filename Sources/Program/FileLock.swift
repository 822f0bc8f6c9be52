import Glibc

/// An flock on a file of its own, which its holder removes. The kernel lets go of it when its holder ends, however that
/// happens; the file of one that was killed stays, until the next holder removes it.
package final class FileLock {
    package enum Attempt {
        case taken(FileLock)
        /// Somebody else has it.
        case held
        /// Its holder removed the file meanwhile: the next try makes its successor.
        case removed
        /// The file belongs to another user.
        case foreign
        /// errno.
        case failed(CInt)
    }

    private let descriptor: CInt
    private let path: String

    private init(descriptor: CInt, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        // Unlinked while it is held; whoever waits on the old file notices and opens the new one.
        unlink(path)
        close(descriptor)
    }

    /// Tries once.
    package static func take(_ path: String) -> Attempt {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return .failed(errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            close(descriptor)
            return reason == EWOULDBLOCK || reason == EINTR ? .held : .failed(reason)
        }
        var opened = stat()
        var named = stat()
        let isNamed =
            fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino
            && opened.st_dev == named.st_dev
        if isNamed, opened.st_uid == geteuid() { return .taken(FileLock(descriptor: descriptor, path: path)) }
        close(descriptor)
        return isNamed ? .foreign : .removed
    }
}
