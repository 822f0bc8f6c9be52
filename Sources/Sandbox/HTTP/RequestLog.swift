import Glibc
import JSON
import Program
import WebAddress

/// One JSON line a request: time, method, path, grant type, status, faults. Never a query, a body or a header.
final class RequestLog {
    private static let grantTypes: Set<String> = ["authorization_code", "refresh_token", Issuer.deviceGrantType]

    private let descriptor: CInt

    /// Opens the file for appending, for its owner alone.
    init(path: String) throws(Complaint) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Complaint(
                "cannot write the log \(path): \(String(cString: strerror(errno)))", exitCode: .protocolFailure)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Writes a line, before the answer is sent: who has the answer finds the line.
    ///
    /// - Parameters:
    ///   - request: what was asked.
    ///   - status: of the answer; 0 when the connection ended without one.
    ///   - faults: the names of those that struck.
    func record(_ request: HTTPRequest, status: Int, faults: [String]) {
        var line = JSONObject()
        line["time"] = .string(Self.time())
        line["method"] = .string(request.method)
        line["path"] = .string(DisplayText.clean(request.path, limit: 500))
        if let grantType = request.form?["grant_type"] {
            line["grant_type"] = .string(Self.grantTypes.contains(grantType) ? grantType : "other")
        }
        line["status"] = .integer(status)
        if !faults.isEmpty { line["faults"] = .array(faults.map { .string($0) }) }
        guard let bytes = try? JSONValue.object(line).serialized() else { return }
        try? StandardStream.write(bytes + [0x0A], descriptor: descriptor)
    }

    /// RFC 3339 with milliseconds, in UTC.
    private static func time() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        gmtime_r(&now.tv_sec, &parts)
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let day = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map { padded($0, 2) }
        let hour = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), 2) }
        return "\(day.joined(separator: "-"))T\(hour.joined(separator: ":")).\(padded(now.tv_nsec / 1_000_000, 3))Z"
    }
}
