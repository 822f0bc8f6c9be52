import Glibc

/// Where lock files lie: in the home folder that the passwd database names, so that HOME, TMPDIR and XDG variables cannot
/// make two processes use two locks, and never in a folder shared with others.
package enum LockFolder {
    package struct Failure: Error, Equatable {
        package var path: String
        package var reason: String

        fileprivate init(_ path: String, _ reason: String = String(cString: strerror(errno))) {
            (self.path, self.reason) = (path, reason)
        }
    }

    /// The folder, made where it is missing.
    package static func make() throws(Failure) -> String {
        guard let home = home() else { throw Failure("the home folder", "the user has none") }
        return try make(below: home)
    }

    /// - Parameter home: the user's home folder.
    package static func make(below home: String) throws(Failure) -> String {
        var path = home
        for part in [".local", "state", "mojoauth-credential", "lock"] {
            path += "/" + part
            if mkdir(path, 0o700) != 0, errno != EEXIST { throw Failure(path) }
        }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else { throw Failure(path, "not a folder of yours alone") }
        // One that others may only look into, say from a backup, is made what it should be.
        if status.st_mode & 0o7777 != 0o700, chmod(path, 0o700) != 0 { throw Failure(path) }
        return path
    }

    /// The paths of the files in the folder whose names end like this.
    package static func files(_ folder: String, endingIn suffix: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var paths: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(suffix) { paths.append("\(folder)/\(name)") }
        }
        return paths
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
}
