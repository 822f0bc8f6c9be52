import OpenIDConnect
import Program

/// How a stale token is renewed and a missing login made: by child processes of the hot program, in process elsewhere.
package protocol Renewal {
    /// Renews the login of a profile unless another process just did.
    ///
    /// - Parameters:
    ///   - target: which of the login's tokens.
    ///   - minimumLifetime: seconds that a token must still live to need no renewal.
    /// - Returns: the state as it is now, stored if that could be done.
    func refresh(profile: String, target: TokenTarget, minimumLifetime: Int) throws(Complaint) -> AuthState

    /// Renews a login that is still good, without waiting for it.
    func refreshBehind(profile: String, target: TokenTarget)

    /// Tells the person on the desktop that a login is needed, without waiting for it.
    func notifyBehind(profile: String)

    /// Lets the person sign in. Returns once the login is stored.
    func login(profile: String) throws(Complaint)
}
