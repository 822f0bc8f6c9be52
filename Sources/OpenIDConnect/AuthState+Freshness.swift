extension AuthState {
    /// May the access token be handed out without a refresh?
    ///
    /// It must live on for longer than the tolerance: the smaller of `minimumLifetime` and half of what it was granted,
    /// so that a short-lived token is not refreshed on every call.
    package func isFresh(at now: NumericDate, minimumLifetime: Int, for target: TokenTarget = .standard) -> Bool {
        guard !isRefused(target), let token = token(for: target) else { return false }
        return token.expiresAt - now > max(0, min(minimumLifetime, token.lifetime / 2))
    }

    /// Not refused and not expired: what a caller may have when a refresh fails for a passing reason.
    package func isUsable(at now: NumericDate, for target: TokenTarget = .standard) -> Bool {
        guard !isRefused(target), let token = token(for: target) else { return false }
        return token.expiresAt > now
    }

    /// Did somebody else renew the token while we waited since `start`? Then any unexpired one will do.
    package func wasRenewed(since start: NumericDate, at now: NumericDate, for target: TokenTarget = .standard) -> Bool
    {
        guard let token = token(for: target) else { return false }
        return isUsable(at: now, for: target) && token.receivedAt >= start
    }

    /// In the last fifth of its life a token is renewed behind the caller's back.
    package func shouldRenewAhead(at now: NumericDate, for target: TokenTarget = .standard) -> Bool {
        guard refreshToken != nil, let token = token(for: target) else { return false }
        return (token.expiresAt - now) * 5 < token.lifetime
    }

    /// Did a host refuse the token?
    package func isRefused(_ target: TokenTarget) -> Bool {
        target.isOfLogin ? needsRefresh : storedTargetTokens[target]?.isRefused ?? false
    }

    /// Seconds within which a second refusal is answered by an error instead of another token.
    package static let refusalPause = 60

    /// The age of a refused token, when it is young and had itself come in the place of a refused one: another refresh
    /// would not help, and would be made again with every call.
    package func ageOfTokenRefusedTwice(at now: NumericDate, for target: TokenTarget = .standard) -> Int? {
        guard isRefused(target), let token = token(for: target), token.replacesRefused else { return nil }
        let age = now - token.receivedAt
        return age < Self.refusalPause ? max(age, 0) : nil
    }

    /// Is the login itself older than the profile allows?
    package func exceedsSession(_ maximum: Int?, at now: NumericDate) -> Bool {
        guard let maximum else { return false }
        return now - loggedInAt > maximum
    }
}
