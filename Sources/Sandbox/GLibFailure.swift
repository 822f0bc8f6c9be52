import CGLib

/// What a GLib call failed with: read, copied and freed in one place.
struct GLibFailure: Error, Equatable {
    var domain: String
    var code: Int
    var message: String

    /// Takes the error that a call left, whose owner we are.
    init(adopting error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            self.init(domain: "", code: 0, message: "unknown failure")
            return
        }
        defer { g_error_free(error) }
        self.init(
            domain: String(cString: g_quark_to_string(error.pointee.domain)), code: Int(error.pointee.code),
            message: String(cString: error.pointee.message))
    }

    private init(domain: String, code: Int, message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// Runs a call that takes a GError's address, and gives its result or throws the error.
    static func check<Value>(
        _ call: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value?
    ) throws(GLibFailure) -> Value {
        var error: UnsafeMutablePointer<GError>?
        if let value = call(&error), error == nil { return value }
        throw GLibFailure(adopting: error)
    }

    /// The same for a call that gives a gboolean.
    static func check(_ call: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> gboolean) throws(GLibFailure) {
        var error: UnsafeMutablePointer<GError>?
        if call(&error) == 0 || error != nil { throw GLibFailure(adopting: error) }
    }
}
