import CGLib
import Glibc
import Program

/// A file of the person's that belongs to another tool: looked at before it is read, replaced as a whole.
struct PersonalFile {
    let path: String

    private static let largest = 4 << 20

    /// - Parameter name: the part below the home folder: `.terraformrc`.
    static func inHome(_ name: String) throws(Complaint) -> PersonalFile {
        guard let home = ProcessEnvironment["HOME"] else {
            throw Complaint("HOME is not set, so ~/\(name) cannot be found", exitCode: .configuration)
        }
        return PersonalFile(path: "\(home)/\(name)")
    }

    /// The file that a variable of the environment names, else one in the home folder.
    static func named(by variable: String, orInHome name: String) throws(Complaint) -> PersonalFile {
        guard let path = ProcessEnvironment[variable] else { return try inHome(name) }
        return PersonalFile(path: path)
    }

    /// - Parameter name: the part below the folder for configuration: `uv/uv.toml`.
    static func inConfiguration(_ name: String) throws(Complaint) -> PersonalFile {
        if let folder = ProcessEnvironment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return PersonalFile(path: "\(folder)/\(name)")
        }
        return try inHome(".config/\(name)")
    }

    /// All of it; nil when there is no file.
    ///
    /// - Throws: ``Complaint`` for what is no file of the person's own.
    func read() throws(Complaint) -> [UInt8]? {
        // O_NONBLOCK: opening a FIFO must not wait for somebody who writes.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            var status = stat()
            guard code == ENOENT || code == ENOTDIR else {
                throw unusable("cannot read \(path): \(String(cString: strerror(code)))")
            }
            guard lstat(path, &status) != 0 else { throw unusable("\(path) is a link to nothing") }
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unusable("\(path) is not a regular file")
        }
        guard status.st_uid == geteuid() else {
            throw Complaint(
                "\(path) belongs to user \(status.st_uid), not to user \(geteuid())",
                hint: "run this as the user whose file it is; it was not changed", exitCode: .configuration)
        }
        do throws(StandardStream.Failure) {
            return try StandardStream.read(descriptor: descriptor, limit: Self.largest)
        } catch {
            throw unusable("cannot read \(path): \(error.description)")
        }
    }

    /// Replaces the file, or makes it: 0600, and folders that are missing 0700.
    func write(_ bytes: [UInt8]) throws(Complaint) {
        // Through a link, which is how people keep such files elsewhere, and not in its place.
        let target = realpath(path, nil).map { real in
            defer { free(real) }
            return String(cString: real)
        }
        let path = target ?? path
        var status = stat()
        // Who else may read the file is the person's decision; a new one is theirs alone.
        let mode = stat(path, &status) == 0 ? CInt(status.st_mode & 0o777) : 0o600
        try Self.makeFolder(of: path)
        var failure: UnsafeMutablePointer<GError>?
        // Atomic, and synced: the tool finds the old file or the new one.
        let flags = GFileSetContentsFlags(
            rawValue: G_FILE_SET_CONTENTS_CONSISTENT.rawValue | G_FILE_SET_CONTENTS_DURABLE.rawValue)
        let isWritten = bytes.withUnsafeBytes {
            g_file_set_contents_full(
                path, $0.bindMemory(to: CChar.self).baseAddress, gssize($0.count), flags, mode, &failure) != 0
        }
        guard isWritten else {
            let reason = failure.map { String(cString: $0.pointee.message) } ?? "no reason given"
            g_clear_error(&failure)
            throw Complaint("cannot write \(path): \(reason)", exitCode: .configuration)
        }
    }

    /// Removes the file itself; a link and what it leads to stay, empty.
    func remove() throws(Complaint) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return try write([]) }
        guard unlink(path) == 0 else {
            throw Complaint("cannot remove \(path): \(String(cString: strerror(errno)))", exitCode: .configuration)
        }
    }

    /// Makes the folder that a file is to lie in.
    static func makeFolder(of path: String) throws(Complaint) {
        let folder = String(path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)])
        guard g_mkdir_with_parents(folder, 0o700) == 0 else {
            throw Complaint("cannot make \(folder): \(String(cString: strerror(errno)))", exitCode: .configuration)
        }
    }

    private func unusable(_ text: String) -> Complaint {
        Complaint(text, hint: "mend it; it was not changed", exitCode: .configuration)
    }
}
