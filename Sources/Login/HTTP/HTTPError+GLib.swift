import CGLib
import CSoup

extension HTTPError.Reason {
    /// Reads GIO's and libsoup's errors.
    init(_ error: GLibError, _ flaws: GTlsCertificateFlags) {
        if error.domain == g_resolver_error_quark() {
            self = .nameNotResolved
        } else if error.domain == g_tls_error_quark() {
            self = .tls(Self.text(flaws) ?? "it does not speak TLS properly")
        } else if error.isIO(G_IO_ERROR_CONNECTION_REFUSED) {
            // Only GIO's words tell whose refusal it is.
            self = error.text.contains("proxy") ? .proxy("connection refused") : .refused
        } else if error.isIO(G_IO_ERROR_HOST_UNREACHABLE) || error.isIO(G_IO_ERROR_NETWORK_UNREACHABLE) {
            self = .unreachable
        } else if error.isIO(G_IO_ERROR_PROXY_NEED_AUTH) || error.isIO(G_IO_ERROR_PROXY_AUTH_FAILED) {
            self = .proxy("it wants other credentials")
        } else if error.isIO(G_IO_ERROR_PROXY_FAILED) || error.isIO(G_IO_ERROR_PROXY_NOT_ALLOWED) {
            self = .proxy("it failed or refused")
        } else if error.isIO(G_IO_ERROR_TIMED_OUT) {
            self = .unreachable
        } else if error.isIO(G_IO_ERROR_PARTIAL_INPUT) || error.isIO(G_IO_ERROR_BROKEN_PIPE) {
            self = .cut
        } else if error.domain == soup_session_error_quark() {
            self = .other("its answer is not HTTP")
        } else {
            self = .other(error.text)
        }
    }

    private static func text(_ flaws: GTlsCertificateFlags) -> String? {
        let known: [(GTlsCertificateFlags, String)] = [
            (G_TLS_CERTIFICATE_BAD_IDENTITY, "its certificate is for another host"),
            (G_TLS_CERTIFICATE_EXPIRED, "its certificate has expired (or the clock here is wrong)"),
            (G_TLS_CERTIFICATE_NOT_ACTIVATED, "its certificate is not valid yet (or the clock here is wrong)"),
            (G_TLS_CERTIFICATE_REVOKED, "its certificate has been revoked"),
            (G_TLS_CERTIFICATE_INSECURE, "its certificate uses an insecure algorithm"),
            (G_TLS_CERTIFICATE_UNKNOWN_CA, "its certificate was issued by an unknown authority"),
        ]
        let texts = known.filter { flaws.rawValue & $0.0.rawValue != 0 }.map(\.1)
        if texts.isEmpty { return flaws.rawValue == 0 ? nil : "its certificate is not acceptable" }
        return texts.joined(separator: ", ")
    }
}
