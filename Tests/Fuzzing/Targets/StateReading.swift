import OpenIDConnect
import Sensitive
import SessionStore

/// The stored form of a login.
enum StateReading {
    static func run(_ bytes: [UInt8]) {
        do throws(AuthStateCoding.Failure) {
            look(at: try AuthStateCoding.decode(Secret(bytes)))
        } catch {
            if case .newerVersion(let version) = error { check(version > AuthStateCoding.version, "not newer") }
        }
    }

    /// It is stored and found as it was, and every question about it has an answer at any time.
    static func look(at state: AuthState) {
        let stored = AuthStateCoding.encode(state)
        guard let again = try? AuthStateCoding.decode(stored) else {
            return check(false, "a login is lost by storing it")
        }
        check(again == state, "another login was stored")
        check(AuthStateCoding.encode(again) == stored, "two forms of one login")
        let targets = [TokenTarget.standard, .idToken] + state.storedTargetTokens.keys
        for now in [0, TokenReading.now, 1 << 53] {
            for target in targets {
                if state.isFresh(at: now, minimumLifetime: 60, for: target) {
                    check(state.isUsable(at: now, for: target), "fresh, and of no use")
                }
                _ = state.shouldRenewAhead(at: now, for: target)
                _ = state.wasRenewed(since: 0, at: now, for: target)
                _ = state.ageOfTokenRefusedTwice(at: now, for: target)
                if let token = state.token(for: target) { check(state.holds(token.secret), "a token is not known") }
            }
            _ = state.exceedsSession(0, at: now)
        }
        _ = state.subject
    }
}
