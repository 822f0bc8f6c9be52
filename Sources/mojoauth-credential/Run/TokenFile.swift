import CGLib
import Glibc
import Program
import Sensitive

/// A file that holds a secret for a while, in the runtime folder of the person's session: in memory, theirs alone, and
/// emptied when they log out.
///
/// Whoever made it keeps a lock on it. A file without one was left by a process that was killed, and goes when the next
/// one is made.
struct TokenFile {
    let path: String
    private let descriptor: CInt

    private static let prefix = "mojoauth-token-"

    init(_ secret: Secret) throws(Complaint) {
        let folder = try Self.folder()
        Self.sweep(folder)
        // It gets its name when it is locked: nobody may find it without.
        var template = Array("\(folder)/mojoauth-new-XXXXXX".utf8CString)
        descriptor = g_mkstemp_full(&template, O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unusable(folder, String(cString: strerror(errno))) }
        let first = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = "\(folder)/\(Self.prefix)\(first.suffix(6))"
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(first, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(first)
            throw Self.unusable(folder, reason)
        }
        do throws(StandardStream.Failure) {
            try StandardStream.write(secret.withBytes { Array($0) }, descriptor: descriptor)
        } catch {
            remove()
            throw Self.unusable(folder, error.description)
        }
    }

    func remove() {
        unlink(path)
        close(descriptor)
    }

    /// Removes what killed processes have left.
    private static func sweep(_ folder: String) {
        guard let entries = g_dir_open(folder, 0, nil) else { return }
        defer { g_dir_close(entries) }
        while let name = g_dir_read_name(entries).map({ String(cString: $0) }) {
            guard name.hasPrefix(prefix) else { continue }
            let path = "\(folder)/\(name)"
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
            close(descriptor)
        }
    }

    /// `$XDG_RUNTIME_DIR`, if it is what the specification wants it to be: the person's, and closed to others.
    private static func folder() throws(Complaint) -> String {
        guard let folder = ProcessEnvironment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else {
            throw unusable("XDG_RUNTIME_DIR", "it is not set to a folder")
        }
        var status = stat()
        guard stat(folder, &status) == 0 else { throw unusable(folder, String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw unusable(folder, "it is no folder") }
        guard status.st_uid == geteuid() else { throw unusable(folder, "it belongs to user \(status.st_uid)") }
        guard status.st_mode & 0o077 == 0 else { throw unusable(folder, "it is open to others") }
        return folder
    }

    private static func unusable(_ folder: String, _ why: String) -> Complaint {
        Complaint(
            "no private file for the token in \(folder): \(why)", hint: "use --descriptor", exitCode: .configuration)
    }
}
