/// How a protocol says that a server gets no token.
package enum NoTokenAnswer: Sendable, Equatable {
    /// By these bytes, and success.
    case bytes([UInt8])
    /// By its exit code, without a word.
    case exitCode
    /// By its exit code, with the reason on standard error.
    case complaint
}
