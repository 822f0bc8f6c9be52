import CGLib
import CSoup
import OpenIDConnect

extension HTTPResponse {
    /// The server's clock when it answered (RFC 9110 section 6.6.1); nil when it says none that can be read.
    package var date: NumericDate? {
        guard let text = self[header: "date"], let date = soup_date_time_new_from_http_string(text) else { return nil }
        defer { g_date_time_unref(date) }
        return NumericDate(g_date_time_to_unix(date))
    }
}
