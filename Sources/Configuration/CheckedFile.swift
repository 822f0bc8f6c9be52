import Glibc

/// Opens configuration files and checks what it opened.
enum CheckedFile {
    static var maximumSize: Int { 1 << 20 }

    /// Reads a file whole; nil when there is none.
    ///
    /// Links are followed: what counts is the file at their end, and it is checked through the open descriptor, so
    /// that nobody can exchange it in between.
    ///
    /// - Throws: ``ConfigurationError`` `.unreadable` or `.untrusted`.
    static func read(_ path: String, owner: uid_t, flags: CInt = 0) throws(ConfigurationError) -> [UInt8]? {
        // O_NONBLOCK: opening a FIFO must not wait for somebody who writes.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            if errno == ELOOP, flags & O_NOFOLLOW != 0 {
                throw ConfigurationError(.untrusted, file: path, "is a symbolic link, which is not written through")
            }
            throw ConfigurationError(.unreadable, file: path, "cannot be opened: \(reason(errno))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw ConfigurationError(.unreadable, file: path, "cannot be examined: \(reason(errno))")
        }
        try check(status, path, owner: owner)
        return try readAll(descriptor, path)
    }

    private static func check(_ status: stat, _ path: String, owner: uid_t) throws(ConfigurationError) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationError(.untrusted, file: path, "is not a regular file")
        }
        guard status.st_uid == 0 || status.st_uid == owner else {
            throw ConfigurationError(
                .untrusted, file: path, "belongs to user \(status.st_uid), not to user \(owner) or root")
        }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw ConfigurationError(
                .untrusted, file: path,
                "can be written by group or others (mode \(String(status.st_mode & 0o7777, radix: 8)))")
        }
        guard status.st_size <= maximumSize else {
            throw ConfigurationError(.unreadable, file: path, "is larger than \(maximumSize) bytes")
        }
    }

    private static func readAll(_ descriptor: CInt, _ path: String) throws(ConfigurationError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            var count = 0
            // The buffer's closure cannot throw our error: errno is looked at outside.
            let chunk = [UInt8](unsafeUninitializedCapacity: 16384) { buffer, used in
                count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                used = max(0, count)
            }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw ConfigurationError(.unreadable, file: path, "cannot be read: \(reason(errno))")
            }
            bytes += chunk
            // It may have grown since fstat.
            guard bytes.count <= maximumSize else {
                throw ConfigurationError(.unreadable, file: path, "is larger than \(maximumSize) bytes")
            }
        }
    }

    static func reason(_ code: CInt) -> String { String(cString: strerror(code)) }
}
