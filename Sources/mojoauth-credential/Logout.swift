import Configuration
import HelperCommands
import Login
import OpenIDConnect
import Program
import Sensitive
import SessionStore

/// The end of one login: revoked at the issuer where that can be done, gone from the keyring in any case, and signed
/// out in the browser when that is asked for.
struct Logout {
    let desk: Desk
    /// Also one that cannot be read.
    let isForced: Bool
    var usesBrowser: Bool
    /// Seconds for the browser.
    let deadline: Int?

    struct Ending {
        /// Was there a login in the keyring? There is none now.
        var wasThere: Bool
        /// What could not be done at the issuer.
        var undone: [Complaint]
    }

    /// - Parameter profile: the login's; or why there is none.
    /// - Throws: when the login is still in the keyring.
    func end(_ key: SessionKey, _ profile: Result<Profile, Complaint>) throws(Complaint) -> Ending {
        var undone: [Complaint] = []
        let issuer = issuer(profile)
        // A keyring that does not answer is noticed here and not after waiting for others who wait for it.
        _ = try find(key)
        // A refresh in between would leave tokens that nobody revokes.
        let lock = try desk.stored { _ throws(SessionStoreError) in
            try SessionLock.acquire(key, .refresh, within: 30)
        }
        let state = try find(key)
        // What may not be removed is not revoked either.
        if !isForced {
            try desk.stored { store throws(SessionStoreError) in try store.checkRemovable(key) }
        }
        // The issuer first, while there still is something to tell it; what it says does not keep the login.
        if let state, let why = revoke(state, issuer) {
            undone.append(
                Complaint(
                    "the login is gone from the keyring, but the issuer could not be told: \(why.message)",
                    hint: "its tokens end by themselves; sign out at the issuer to end them now", exitCode: .temporary))
        }
        let wasThere = try desk.stored { store throws(SessionStoreError) in try store.clear(key, force: isForced) }
        withExtendedLifetime(lock) {}
        if usesBrowser, let complaint = signOut(state?.storedIDToken, issuer) { undone.append(complaint) }
        return Ending(wasThere: wasThere, undone: undone)
    }

    private func issuer(_ profile: Result<Profile, Complaint>) -> Result<Issuer, Complaint> {
        do throws(Complaint) {
            return .success(try Issuer(try profile.get(), desk: desk))
        } catch {
            return .failure(error)
        }
    }

    private func find(_ key: SessionKey) throws(Complaint) -> AuthState? {
        if isForced { return (try? desk.store.find(key)) ?? nil }
        return try desk.stored { store throws(SessionStoreError) in try store.find(key) }
    }

    /// - Returns: why a token may still be good at the issuer; nil when all is done that can be.
    private func revoke(_ state: AuthState, _ issuer: Result<Issuer, Complaint>) -> Complaint? {
        guard state.refreshToken != nil || state.storedAccessToken != nil else { return nil }
        switch issuer {
        case .failure(let complaint): return complaint
        case .success(let issuer):
            do throws(LoginError) {
                let outcome = try Revoker(profile: issuer.profile, client: issuer.client, http: issuer.http).revoke(
                    state)
                if !outcome.isOffered {
                    // Nothing failed, but who signs out believes that the tokens are dead.
                    StandardStream.writeError(
                        "\(issuer.profile.issuer) offers no revocation: its tokens end by themselves\n")
                }
                return outcome.failures.first.map { Complaint($0.error) }
            } catch {
                return Complaint(error)
            }
        }
    }

    /// - Returns: why the browser may still be signed in; nil when it is not.
    private func signOut(_ idToken: Secret?, _ issuer: Result<Issuer, Complaint>) -> Complaint? {
        let outcome: BrowserSignOut.Outcome
        do throws(Complaint) {
            outcome = try signOut(idToken, at: try issuer.get())
        } catch {
            let code = error.exitCode == .cancelled ? ExitCode.cancelled : .temporary
            return Complaint(
                "the browser may still be signed in: \(error.message)", hint: error.hint, exitCode: code)
        }
        let hint: String? =
            switch outcome {
            case .signedOut: nil
            case .notOffered, .refused, .notVisited: "sign out at the issuer's own page"
            case .notConfirmed(let redirectURI, _):
                "look at the issuer's page; it leads back once exactly \(redirectURI) is registered for after signing out"
            case .noWayBack: "end what uses the port, and look at the issuer's page whether you are signed in"
            }
        return outcome == .signedOut ? nil : Complaint("\(outcome)", hint: hint, exitCode: .temporary)
    }

    private func signOut(_ idToken: Secret?, at issuer: Issuer) throws(Complaint) -> BrowserSignOut.Outcome {
        let display = ProgressDisplay(loop: issuer.http.loop)
        defer { display.end() }
        let signOut = BrowserSignOut(
            profile: issuer.profile, client: issuer.client, http: issuer.http,
            browser: .current(profile: issuer.profile.browser), announce: { display.show($0) })
        var options = BrowserSignOut.Options()
        options.deadline = deadline ?? options.deadline
        do throws(LoginError) {
            return try signOut.run(options, idToken: idToken)
        } catch {
            // What is said of a login would not be true here.
            if case .interrupted = error { throw Complaint("a signal ended the wait for it", exitCode: .cancelled) }
            throw Complaint(error)
        }
    }
}
