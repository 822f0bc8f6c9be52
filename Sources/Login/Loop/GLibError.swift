import CGLib

/// A GError, read and freed.
struct GLibError: Error, Equatable {
    let domain: GQuark
    let code: CInt
    /// GIO's words: fit for the log of a failure that we know nothing better about; they hold addresses, no secrets.
    let text: String

    init(adopting error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            (domain, code, text) = (0, 0, "unknown error")
            return
        }
        domain = error.pointee.domain
        code = error.pointee.code
        text = error.pointee.message.map { String(cString: $0) } ?? "unknown error"
        g_error_free(error)
    }

    func isIO(_ code: GIOErrorEnum) -> Bool {
        domain == g_io_error_quark() && UInt32(bitPattern: self.code) == UInt32(code.rawValue)
    }
}
