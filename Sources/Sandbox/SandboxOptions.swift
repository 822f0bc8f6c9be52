/// What `mojoauth-sandbox serve` was asked for.
package struct SandboxOptions: Sendable {
    /// A loopback address: nothing else is listened on.
    package var address = "127.0.0.1"
    /// 0: any free one.
    package var port = 0
    /// Certificate and key in PEM, for https.
    package var certificateFile: String?
    package var keyFile: String?
    package var readyFile: String?
    package var logFile: String?
    /// Where every secret is written that passes.
    package var secretsFile: String?
    /// Signs this person in without a click.
    package var autoUser: String?
    /// Holds a secret in its first line: the client is then confidential, and shows it with each of its requests.
    package var clientSecretFile: String?
    /// Compared whole; empty: any loopback URI is registered.
    package var redirectURIs: [String] = []
    /// Seconds.
    package var accessLifetime = 300
    package var refreshLifetime = 30 * 86400
    package var deviceInterval = 5
    package var rotatesRefreshTokens = true
    /// Seconds in which the refresh token before the current one is still taken.
    package var grace = 0
    /// Endpoints carry `?env=test`, and are not there without it.
    package var wantsEnvironmentQuery = false
    /// Repositories to serve under `/git/`.
    package var gitDirectory: String?
    package var faults: [FaultSetting] = []
    package var diesWithParent = false

    package init() {}
}

extension SandboxOptions {
    /// Whether somebody could sign in under this address.
    package static func isPerson(_ address: String) -> Bool {
        Person(email: address) != nil
    }
}
