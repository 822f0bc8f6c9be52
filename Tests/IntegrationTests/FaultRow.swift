import Testing

/// What one fault of the sandbox does to one command, and to the login in the keyring.
struct FaultRow: Sendable, CustomTestStringConvertible {
    /// The command that meets the fault. A login that was good stands in the keyring before each.
    enum Command: String, Sendable {
        case login
        case refresh
        case whoami = "whoami --refresh"
        case logout
        case device = "login --device"
        case recentLogin = "login --max-age 60"
        case strongLogin = "login --acr-values gold"
        case signOut = "logout --browser"

        var arguments: [String] { rawValue.split(separator: " ").map(String.init) }
    }

    /// The stored login afterwards, read from the keyring.
    enum Stored: Sendable {
        /// Byte for byte as before.
        case unchanged
        /// A new login, or a renewed one, that works.
        case renewed
        /// Still there, with `invalid_grant` on record and without tokens to use.
        case ended
        /// The rotated refresh token is kept although the answer was not acceptable.
        case rotated
        case cleared
    }

    let fault: String
    let command: Command
    let exitCode: Int32
    /// Words that standard error must have.
    let message: String
    let stored: Stored
    /// A member of the stored login that stays as it was.
    let keeps: String?
    /// A member that it does not have.
    let lacks: String?

    init(
        _ fault: String, _ command: Command, _ exitCode: Int32, _ message: String, _ stored: Stored,
        keeps: String? = nil, lacks: String? = nil
    ) {
        self.keeps = keeps
        self.lacks = lacks
        self.fault = fault
        self.command = command
        self.exitCode = exitCode
        self.message = message
        self.stored = stored
    }

    var testDescription: String { "\(fault), \(command.rawValue)" }

    /// The name in `mojoauth-sandbox faults`, without a value.
    var name: String { String(fault.prefix { $0 != "=" }) }
}
