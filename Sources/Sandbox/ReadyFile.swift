import Glibc
import JSON
import Program
import Sensitive

/// Tells whoever started the sandbox that it listens, and where.
enum ReadyFile {
    /// Writes the file in one step, for its owner alone.
    static func write(_ path: String, issuer: Issuer) throws(Complaint) {
        var object = JSONObject()
        object["issuer"] = .string(issuer.url)
        object["client_id"] = .string(Issuer.clientID)
        object["pid"] = .integer(Int(getpid()))
        object["control"] = .string(issuer.control.text ?? "")
        let partial = "\(path).\(getpid())"
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        do {
            let bytes = try JSONValue.object(object).serialized()
            try StandardStream.write(bytes + [0x0A], descriptor: descriptor)
        } catch {
            unlink(partial)
            throw failure(path)
        }
        guard rename(partial, path) == 0 else {
            let complaint = failure(path)
            unlink(partial)
            throw complaint
        }
    }

    private static func failure(_ path: String) -> Complaint {
        Complaint(
            "cannot write the ready file \(path): \(String(cString: strerror(errno)))", exitCode: .protocolFailure)
    }
}
