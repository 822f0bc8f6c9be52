import CGLib
import CSoup

/// The form of a Date header (RFC 9110 section 5.6.7).
enum HTTPDate {
    /// The time so many seconds from now.
    static func text(secondsFromNow seconds: Int) -> String {
        guard let now = g_date_time_new_now_utc() else { return "" }
        defer { g_date_time_unref(now) }
        guard let date = g_date_time_add_seconds(now, Double(seconds)) else { return "" }
        defer { g_date_time_unref(date) }
        guard let text = soup_date_time_to_string(date, SOUP_DATE_HTTP) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
