import TestSupport

/// An OpenID provider that nobody here wrote, running for a test.
protocol Provider {
    /// As in the table.
    static var name: String { get }
    /// Byte for byte as its metadata says.
    var issuer: String { get }
    /// A public client that may use the code flow with any of ``redirectURIs``.
    var clientID: String { get }
    /// Registered byte for byte: neither provider takes another port than it knows.
    var redirectURIs: [String] { get }
    /// What it has written so far, for a test that failed.
    var log: String { get }
}

extension Provider {
    /// Three ports that are free now, to be registered and then listened at.
    static func freeRedirectURIs() throws -> [String] {
        try (0..<3).map { _ in "http://127.0.0.1:\(try FreePort.find())/callback" }
    }
}

/// The one person that both providers know.
enum Alice {
    static let username = "alice"
    static let name = "Alice Example"
    static let email = "alice@example.test"
    static let password = "correct-Horse-7"
}
