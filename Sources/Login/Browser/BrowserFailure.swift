/// Why one way to open a browser did not work.
package struct BrowserFailure: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case notFound
        case notStarted(String)
        /// It ended at once, with this status as a shell shows it.
        case exited(Int32)
    }

    package var command: BrowserCommand
    package var reason: Reason
}

extension BrowserFailure: CustomStringConvertible {
    package var description: String {
        let why =
            switch reason {
            case .notFound: "is not installed"
            case .notStarted(let text): "did not start: \(text)"
            case .exited(let status): "ended at once with status \(status)"
            }
        return "\(command.name) (\(command.source.rawValue)) \(why)"
    }
}
