import Sensitive

/// What a caller wants.
package enum RequestPurpose: Sendable, Equatable {
    case get
    /// That this token be kept.
    case store(Secret)
    case forget
}
