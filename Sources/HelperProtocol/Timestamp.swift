import Glibc

/// Date-times as protocols spell them.
enum Timestamp {
    /// RFC 3339 section 5.6, in UTC: `2026-11-30T12:00:00Z`. Years have four digits: what lies outside is cut to them.
    ///
    /// - Parameter seconds: since the epoch.
    static func text(of seconds: Int) -> String {
        var seconds = time_t(min(max(seconds, 0), 253_402_300_799))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = [(parts.tm_year + 1900, 4), (parts.tm_mon + 1, 2), (parts.tm_mday, 2)]
        let time = [(parts.tm_hour, 2), (parts.tm_min, 2), (parts.tm_sec, 2)]
        return "\(date.map(padded).joined(separator: "-"))T\(time.map(padded).joined(separator: ":"))Z"
    }

    private static func padded(_ number: CInt, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
