import CGLib
import Program

/// A point in time as a person reads it.
struct Moment {
    let seconds: Int

    init(_ seconds: Int) {
        self.seconds = seconds
    }

    /// `2026-03-01 14:05:09`, in local time.
    var local: String {
        guard let date = g_date_time_new_from_unix_local(gint64(seconds)) else { return String(seconds) }
        defer { g_date_time_unref(date) }
        guard let text = g_date_time_format(date, "%Y-%m-%d %H:%M:%S") else { return String(seconds) }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// `in 12 minutes`, `3 days ago`.
    func relative(to now: Int) -> String {
        let distance = abs(seconds - now)
        let (count, unit) =
            switch distance {
            case ..<120: (distance, "second")
            case ..<7200: (distance / 60, "minute")
            case ..<172_800: (distance / 3600, "hour")
            default: (distance / 86400, "day")
            }
        let words = "\(count) \(unit)\(count == 1 ? "" : "s")"
        guard distance > 0 else { return "just now" }
        return seconds > now ? "in \(words)" : "\(words) ago"
    }
}
