/// What the program is doing, told on standard error when a person asked for it: names, places and times, never a secret.
package enum Steps {
    /// When it was asked for; nil: nobody wants to know. Set while the options are read, before anything else runs.
    private nonisolated(unsafe) static var began: Double?

    /// From now on steps are told.
    package static func tell() {
        if began == nil { began = Clock.monotonic() }
    }

    /// - Parameter text: made only if somebody reads it. Lower case, one line, no secret.
    package static func note(_ text: @autoclosure () -> String) {
        guard let began else { return }
        let milliseconds = Int((Clock.monotonic() - began) * 1000)
        StandardStream.writeError("  \(milliseconds) ms: \(DisplayText.clean(text(), limit: 500))\n")
    }
}
