import OpenIDConnect
import Sensitive
import Testing

/// "Is fresh" of the reference, to the second.
@Suite struct AuthStateFreshnessTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let lifetime: Int
        let minimum: Int
        /// Seconds the token still lives.
        let left: Int
        let fresh: Bool
        var testDescription: String { name }

        init(_ name: String, lifetime: Int = 3600, minimum: Int = 60, left: Int, _ fresh: Bool) {
            self.name = name
            self.lifetime = lifetime
            self.minimum = minimum
            self.left = left
            self.fresh = fresh
        }

        var now: NumericDate { Fixtures.now + lifetime - left }
    }

    static let rows: [Row] = [
        Row("just received", left: 3600, true),
        Row("one second more than the minimum", left: 61, true),
        Row("exactly the minimum", left: 60, false),
        Row("one second less than the minimum", left: 59, false),
        Row("expires now", left: 0, false),
        Row("expired", left: -1, false),
        Row("minimum of docker, one second more", minimum: 900, left: 901, true),
        Row("minimum of docker, exactly", minimum: 900, left: 900, false),
        Row("half the lifetime is smaller, one second more", lifetime: 100, left: 51, true),
        Row("half the lifetime is smaller, exactly", lifetime: 100, left: 50, false),
        Row("half an odd lifetime, just above", lifetime: 5, minimum: 60, left: 3, true),
        Row("half an odd lifetime, just below", lifetime: 5, minimum: 60, left: 2, false),
        Row("lifetime six, minimum five, just received", lifetime: 6, minimum: 5, left: 6, true),
        Row("lifetime six, minimum five, three left", lifetime: 6, minimum: 5, left: 3, false),
        Row("half equals the minimum, one second more", lifetime: 120, left: 61, true),
        Row("half equals the minimum, exactly", lifetime: 120, left: 60, false),
        Row("minimum longer than the lifetime, just received", minimum: 86400, left: 3600, true),
        Row("minimum longer than the lifetime, half left", minimum: 86400, left: 1800, false),
        Row("no minimum, one second left", minimum: 0, left: 1, true),
        Row("no minimum, expires now", minimum: 0, left: 0, false),
        Row("negative minimum, one second left", minimum: -60, left: 1, true),
        Row("negative minimum, expired", minimum: -60, left: -1, false),
        Row("lifetime zero", lifetime: 0, left: 0, false),
        Row("lifetime one, just received", lifetime: 1, left: 1, true),
        Row("clock set back", left: 7200, true),
    ]

    @Test(arguments: rows) func isFresh(_ row: Row) throws {
        let state = try Fixtures.state(lifetime: row.lifetime)
        #expect(state.isFresh(at: row.now, minimumLifetime: row.minimum) == row.fresh)
    }

    @Test(arguments: rows) func flagMakesStale(_ row: Row) throws {
        var state = try Fixtures.state(lifetime: row.lifetime)
        state.needsRefresh = true
        #expect(!state.isFresh(at: row.now, minimumLifetime: row.minimum))
        #expect(!state.isUsable(at: row.now))
    }

    /// A transient failure: the old token only if it is still valid.
    @Test(arguments: rows) func isUsableUntilItExpires(_ row: Row) throws {
        #expect(try Fixtures.state(lifetime: row.lifetime).isUsable(at: row.now) == (row.left > 0))
    }

    @Test func withoutATokenNothingIsFresh() {
        var state = AuthState(issuer: "i", clientID: "c", redirectURI: "r", tokenEndpoint: "t", loggedInAt: 0)
        state.refreshToken = Secret("r")
        #expect(!state.isFresh(at: 0, minimumLifetime: 0) && !state.isUsable(at: 0))
        #expect(!state.wasRenewed(since: 0, at: 0) && !state.shouldRenewAhead(at: 0))
    }

    /// A clock that went back between two saves, or a damaged item.
    @Test func anExpiryBeforeTheReceiptIsNeverFresh() throws {
        var state = try Fixtures.state()
        state.storedAccessToken = .init(
            secret: Secret("a"), receivedAt: Fixtures.now, expiresAt: Fixtures.now - 1000)
        #expect(!state.isFresh(at: Fixtures.now - 900, minimumLifetime: 60))
        #expect(!state.isFresh(at: Fixtures.now, minimumLifetime: 60))
    }

    /// Unknown expiry: the token's `exp`, else five minutes; never for ever.
    @Test func unknownExpiryIsFiveMinutes() throws {
        let response = try TokenResponse(
            try Fixtures.object(#"{"access_token":"t","token_type":"Bearer"}"#), receivedAt: Fixtures.now)
        let state = AuthState(
            issuer: "i", clientID: "c", redirectURI: "r", tokenEndpoint: "t", requestedScope: "", response: response)
        #expect(state.isFresh(at: Fixtures.now + 239, minimumLifetime: 60))
        #expect(!state.isFresh(at: Fixtures.now + 240, minimumLifetime: 60))
    }

    struct Renewal: Sendable, CustomTestStringConvertible {
        let name: String
        /// Seconds after the wait began at which the token came, how long it lives, and how long the wait was.
        let received: Int
        let lifetime: Int
        let waited: Int
        var flagged = false
        let renewed: Bool
        var testDescription: String { name }
    }

    /// Whoever waited for the lock accepts any unexpired token stored since it began to wait.
    @Test(arguments: [
        Renewal(name: "stored during the wait", received: 1, lifetime: 3600, waited: 2, renewed: true),
        Renewal(name: "stored as the wait began", received: 0, lifetime: 3600, waited: 2, renewed: true),
        Renewal(name: "stored as the wait ended", received: 2, lifetime: 3600, waited: 2, renewed: true),
        Renewal(name: "less than the tolerance left", received: 1, lifetime: 6, waited: 6, renewed: true),
        Renewal(name: "stored before the wait", received: -1, lifetime: 3600, waited: 2, renewed: false),
        Renewal(name: "expired meanwhile", received: 1, lifetime: 1, waited: 2, renewed: false),
        Renewal(name: "expired long ago", received: 1, lifetime: 1, waited: 60, renewed: false),
        Renewal(name: "refused meanwhile", received: 1, lifetime: 3600, waited: 2, flagged: true, renewed: false),
        Renewal(name: "lifetime zero", received: 1, lifetime: 0, waited: 1, renewed: false),
    ])
    func wasRenewed(_ row: Renewal) throws {
        var state = try Fixtures.state()
        let start = Fixtures.now + 10000
        state.update(with: try Fixtures.response(at: start + row.received, lifetime: row.lifetime))
        state.needsRefresh = row.flagged
        #expect(state.wasRenewed(since: start, at: start + row.waited) == row.renewed)
    }

    struct Ahead: Sendable, CustomTestStringConvertible {
        let name: String
        var lifetime = 3600
        let left: Int
        var refreshable = true
        let ahead: Bool
        var testDescription: String { name }
    }

    /// In the last fifth of its life.
    @Test(arguments: [
        Ahead(name: "just inside the last fifth", left: 719, ahead: true),
        Ahead(name: "one second left", left: 1, ahead: true),
        Ahead(name: "expired", left: -1, ahead: true),
        Ahead(name: "a short life", lifetime: 6, left: 1, ahead: true),
        Ahead(name: "exactly a fifth", left: 720, ahead: false),
        Ahead(name: "just before the last fifth", left: 721, ahead: false),
        Ahead(name: "just received", left: 3600, ahead: false),
        Ahead(name: "a short life, two left", lifetime: 6, left: 2, ahead: false),
        Ahead(name: "lifetime zero", lifetime: 0, left: 0, ahead: false),
        Ahead(name: "no refresh token", left: 1, refreshable: false, ahead: false),
    ])
    func shouldRenewAhead(_ row: Ahead) throws {
        var state = try Fixtures.state(lifetime: row.lifetime)
        if !row.refreshable { state.refreshToken = nil }
        #expect(state.shouldRenewAhead(at: Fixtures.now + row.lifetime - row.left) == row.ahead)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let name: String
        var replaces = true
        var refused = true
        let age: Int
        let expected: Int?
        var testDescription: String { name }
    }

    /// A token that came for a refused one and is itself refused at once: another refresh would not help.
    @Test(arguments: [
        Refusal(name: "at once", age: 0, expected: 0),
        Refusal(name: "after ten seconds", age: 10, expected: 10),
        Refusal(name: "last second of the pause", age: 59, expected: 59),
        Refusal(name: "clock set back", age: -5, expected: 0),
        Refusal(name: "end of the pause", age: 60, expected: nil),
        Refusal(name: "long after", age: 3000, expected: nil),
        Refusal(name: "the first of its kind", replaces: false, age: 10, expected: nil),
        Refusal(name: "not refused", refused: false, age: 10, expected: nil),
    ])
    func refusedTwice(_ row: Refusal) throws {
        for target in [TokenTarget.standard, TokenTarget(audience: "api")] {
            var state = try Fixtures.state()
            state.update(with: try Fixtures.response("one"), for: target)
            if row.replaces { _ = state.reject(Secret("one")) }
            state.update(with: try Fixtures.response("two"), for: target)
            if row.refused { _ = state.reject(Secret("two")) }
            #expect(state.ageOfTokenRefusedTwice(at: Fixtures.now + row.age, for: target) == row.expected)
        }
    }

    struct Times: Sendable, CustomTestStringConvertible {
        let name: String
        let claims: String
        let isUsable: Bool
        var isRenewedAhead = false
        var testDescription: String { name }
    }

    /// An issuer may say anything: no difference of it may overflow.
    @Test(arguments: [
        Times(name: "an expiry of 292 thousand million years", claims: #""exp":9223372036854774784"#, isUsable: true),
        Times(name: "beyond whole numbers", claims: #""exp":1e300"#, isUsable: true),
        Times(name: "before time", claims: #""exp":-9223372036854775808"#, isUsable: false, isRenewedAhead: true),
        Times(
            name: "from the first moment to the last",
            claims: #""exp":9223372036854774784,"iat":-9223372036854775808"#, isUsable: true),
        Times(name: "backwards", claims: #""exp":-1e300,"iat":1e300"#, isUsable: false),
    ])
    func idTokenOfImpossibleTimes(_ row: Times) throws {
        var state = try Fixtures.state()
        state.storedIDToken = Secret(Fixtures.jwt("{\(row.claims)}"))
        #expect(state.isUsable(at: Fixtures.now, for: .idToken) == row.isUsable)
        #expect(state.isFresh(at: Fixtures.now, minimumLifetime: 60, for: .idToken) == row.isUsable)
        #expect(state.shouldRenewAhead(at: Fixtures.now, for: .idToken) == row.isRenewedAhead)
    }

    struct Session: Sendable, CustomTestStringConvertible {
        let name: String
        let maximum: Int?
        let age: Int
        let exceeds: Bool
        var testDescription: String { name }
    }

    @Test(arguments: [
        Session(name: "no limit", maximum: nil, age: 1 << 40, exceeds: false),
        Session(name: "within", maximum: 28800, age: 28799, exceeds: false),
        Session(name: "exactly", maximum: 28800, age: 28800, exceeds: false),
        Session(name: "one second over", maximum: 28800, age: 28801, exceeds: true),
        Session(name: "long over", maximum: 1, age: 1 << 40, exceeds: true),
        Session(name: "clock set back", maximum: 1, age: -100, exceeds: false),
    ])
    func exceedsSession(_ row: Session) throws {
        #expect(try Fixtures.state().exceedsSession(row.maximum, at: Fixtures.now + row.age) == row.exceeds)
    }

    /// A refresh does not make a login younger.
    @Test func refreshDoesNotExtendTheSession() throws {
        var state = try Fixtures.state()
        state.update(with: try Fixtures.response(at: Fixtures.now + 1000))
        #expect(state.exceedsSession(999, at: Fixtures.now + 1000))
    }

    /// A target's token has its own expiry; the flag is the login's own.
    @Test func targetsHaveTheirOwnFreshness() throws {
        let target = TokenTarget(audience: "api")
        var state = try Fixtures.state()
        #expect(!state.isFresh(at: Fixtures.now, minimumLifetime: 0, for: target))
        state.update(with: try Fixtures.response("api", lifetime: 100), for: target)
        state.needsRefresh = true
        #expect(state.isFresh(at: Fixtures.now, minimumLifetime: 60, for: target))
        #expect(!state.isFresh(at: Fixtures.now + 50, minimumLifetime: 60, for: target))
        #expect(state.isUsable(at: Fixtures.now + 99, for: target))
        #expect(!state.isUsable(at: Fixtures.now + 100, for: target))
        #expect(state.shouldRenewAhead(at: Fixtures.now + 81, for: target))
        #expect(state.wasRenewed(since: Fixtures.now, at: Fixtures.now + 99, for: target))
        #expect(!state.wasRenewed(since: Fixtures.now + 1, at: Fixtures.now + 99, for: target))
    }
}
