import CGLib
import Glibc
import Program
import Sensitive

/// A file that holds a secret for a while, in the runtime folder of the person's session: in memory, theirs alone, and
/// emptied when they log out.
struct TokenFile {
    let path: String

    init(_ secret: Secret) throws(Complaint) {
        let folder = try Self.folder()
        var template = Array("\(folder)/mojoauth-token-XXXXXX".utf8CString)
        let descriptor = g_mkstemp_full(&template, O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unusable(folder, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(StandardStream.Failure) {
            try StandardStream.write(secret.withBytes { Array($0) }, descriptor: descriptor)
        } catch {
            remove()
            throw Self.unusable(folder, error.description)
        }
    }

    func remove() {
        unlink(path)
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
