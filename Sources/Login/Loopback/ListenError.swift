/// Why there is nobody to receive the redirect.
package struct ListenError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case taken
        case other(String)
    }

    package struct Attempt: Sendable, Equatable {
        /// `127.0.0.1:18437`.
        package var authority: String
        package var reason: Reason
    }

    /// In the order they were made.
    package var attempts: [Attempt]

    package var isTaken: Bool { attempts.allSatisfy { $0.reason == .taken } }
}

extension ListenError: CustomStringConvertible {
    package var description: String {
        let texts = attempts.map { attempt in
            switch attempt.reason {
            case .taken: "\(attempt.authority) is in use"
            case .other(let why): "\(attempt.authority): \(why)"
            }
        }
        return "cannot listen for the redirect: " + texts.joined(separator: ", ")
    }
}
