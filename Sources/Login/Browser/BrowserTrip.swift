import Program

/// The browser's way to the issuer and back, watched: who waits learns at once when it does not begin.
struct BrowserTrip {
    enum Event: Sendable, Equatable {
        /// None of the browsers worked: the person must open an address.
        case failed([BrowserFailure])
        /// One runs, or says that it does, and has not asked for the address it was given.
        case notBegun(browser: String, seconds: Int)
        /// It takes so long that something may be wrong at the issuer.
        case overdue
    }

    let loop: EventLoop
    let listener: LoopbackListener
    /// Nil: the person opens the address.
    let launch: BrowserLaunch?
    /// Seconds that a browser has for asking for the address.
    let patience: Int
    /// Seconds until the wait is overdue.
    let reminder: Int

    /// Waits until `isDone`.
    ///
    /// - Parameter tell: hears each event once at most, and of `failed` and `notBegun` one alone.
    /// - Returns: whether it was done in time.
    /// - Throws: ``LoginError/interrupted(_:)``.
    func wait(
        seconds: Int, until isDone: () -> Bool, tell: (Event) -> Void
    ) throws(LoginError) -> Bool {
        var (isLate, isOverdue, isSlow) = (false, false, false)
        let timers = [
            loop.timer(after: Double(seconds)) { isLate = true },
            loop.timer(after: Double(reminder)) { isOverdue = true },
            loop.timer(after: Double(patience)) { isSlow = true },
        ]
        defer { for timer in timers { timer.cancel() } }
        var isGivenUp = launch == nil
        // A browser that fetched the address works, whatever its starter ended with.
        let hasFailed = { !isGivenUp && launch?.hasFailed == true && !listener.wasStarted }
        let isStuck = { !isGivenUp && isSlow && !listener.wasStarted }
        while true {
            loop.run { isDone() || loop.interruption != nil || isLate || isOverdue || hasFailed() || isStuck() }
            if isDone() { return true }
            if let signal = loop.interruption { throw .interrupted(signal) }
            if isLate { return false }
            if hasFailed() {
                isGivenUp = true
                tell(.failed(launch?.failures ?? []))
            } else if isStuck() {
                isGivenUp = true
                tell(.notBegun(browser: launch?.current?.name ?? "the browser", seconds: patience))
            }
            if isOverdue {
                isOverdue = false
                tell(.overdue)
            }
        }
    }
}
