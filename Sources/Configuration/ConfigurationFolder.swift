import CGLib
import Glibc

/// The folder of the file that is written: made where it is missing, locked against another writer while it is held.
struct ConfigurationFolder: ~Copyable {
    private let descriptor: CInt
    private let path: String
    private let name: String

    /// Opens the folder of `path` and waits for the other writer, if there is one.
    ///
    /// - Parameter patience: how long, in seconds.
    /// - Throws: ``ConfigurationError`` `.unwritable`, also when the folder itself is a link.
    init(of path: String, patience: Double = 10) throws(ConfigurationError) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        let descriptor = try Self.open(slash == path.startIndex ? "/" : String(path[..<slash]), for: path)
        do throws(ConfigurationError) {
            try Self.lock(descriptor, patience, for: path)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        name = String(path[slash...].utf8.drop { $0 == UInt8(ascii: "/") }) ?? ""
        self.path = path
    }

    private static func lock(
        _ descriptor: CInt, _ patience: Double, for path: String
    ) throws(ConfigurationError) {
        let deadline = g_get_monotonic_time() + gint64(patience * 1e6)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let reason = errno
            guard reason == EWOULDBLOCK || reason == EINTR else {
                throw ConfigurationError(
                    .unwritable, file: path, "its folder cannot be locked: \(CheckedFile.reason(reason))")
            }
            guard g_get_monotonic_time() < deadline else {
                throw ConfigurationError(.unwritable, file: path, "another program keeps its folder locked")
            }
            // flock has no limit of its own.
            usleep(10_000)
        }
    }

    private static func open(_ folder: String, for path: String) throws(ConfigurationError) -> CInt {
        guard g_mkdir_with_parents(folder, 0o700) == 0 else {
            throw ConfigurationError(.unwritable, file: path, "its folder cannot be made: \(CheckedFile.reason(errno))")
        }
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor < 0 else { return descriptor }
        // With O_DIRECTORY Linux answers a link with the one or the other.
        let isLink = errno == ELOOP || errno == ENOTDIR
        throw ConfigurationError(
            .unwritable, file: path,
            isLink
                ? "its folder is a symbolic link, which is not written through"
                : "its folder cannot be opened: \(CheckedFile.reason(errno))")
    }

    deinit { close(descriptor) }

    /// Puts a new file of mode 0600 into the place of the old one; whoever reads finds the one or the other, whole.
    func replace(with bytes: [UInt8]) throws(ConfigurationError) {
        let temporary = ".\(name).\(getpid()).\(UInt32.random(in: 0 ... .max))"
        let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(errno) }
        let code = Self.fill(file, bytes)
        close(file)
        guard code == 0 else {
            unlinkat(descriptor, temporary, 0)
            throw failure(code)
        }
        guard renameat(descriptor, temporary, descriptor, name) == 0 else {
            let code = errno
            unlinkat(descriptor, temporary, 0)
            throw failure(code)
        }
        // The name must be on the disk as well as the bytes.
        fsync(descriptor)
    }

    private func failure(_ code: CInt) -> ConfigurationError {
        ConfigurationError(.unwritable, file: path, "cannot be written: \(CheckedFile.reason(code))")
    }

    /// Returns errno, or 0.
    private static func fill(_ file: CInt, _ bytes: [UInt8]) -> CInt {
        // The mode of open(2) is cut by the umask, which may leave too little for ourselves.
        guard fchmod(file, 0o600) == 0 else { return errno }
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { write(file, $0.baseAddress?.advanced(by: offset), $0.count - offset) }
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            offset += count
        }
        return fsync(file) == 0 ? 0 : errno
    }
}
