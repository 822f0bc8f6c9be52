import Glibc

/// The two clocks of this house.
package enum Clock {
    /// Seconds since the epoch: what expiry is compared with (NumericDate, RFC 7519 section 2).
    package static func now() -> Int {
        time(nil)
    }

    /// Seconds that never jump: what limits are measured with.
    package static func monotonic() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
