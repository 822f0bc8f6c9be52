/// What a process of ours ends with: sysexits where one fits.
package enum ExitCode: Int32, Sendable {
    case success = 0
    /// The protocol failed, or the output could not be written.
    case protocolFailure = 1
    /// The command line is not one of ours.
    case usage = 64
    /// Another OAuth error from the issuer.
    case issuerError = 65
    /// No bus, no Secret Service, locked, prompt dismissed, no default collection, limit passed.
    case keyringUnavailable = 69
    /// Network, 5xx, 429, time-out, login timed out, ports taken: try again later.
    case temporary = 75
    /// The issuer's answer is not acceptable: issuer, signature, nonce, audience.
    case unacceptableAnswer = 76
    /// Log in first: no session, `invalid_grant`, refused without a reason.
    case loginRequired = 77
    /// Configuration: file, metadata not found, `invalid_client`, `unauthorized_client`, `invalid_scope`.
    case configuration = 78
    /// `run` found the command and could not start it, as a shell says it.
    case cannotStart = 126
    /// `run` found no such command, as a shell says it.
    case notFound = 127
    /// Denied by the person, or Ctrl-C.
    case cancelled = 130
}
