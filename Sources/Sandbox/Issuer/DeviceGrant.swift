/// A device that waits for a person to type its code (RFC 8628).
struct DeviceGrant {
    enum Answer {
        case pending
        case denied
        case allowed(Grant)
    }

    var userCode: String
    var clientID: String
    var scopes: [String]
    var audience: [String]
    var expiresAt: Int
    /// Seconds between two polls; grows when the device does not keep to it.
    var interval: Int
    var answer = Answer.pending
    private var lastPoll: Double?

    init(userCode: String, clientID: String, scopes: [String], audience: [String], expiresAt: Int, interval: Int) {
        self.userCode = userCode
        self.clientID = clientID
        self.scopes = scopes
        self.audience = audience
        self.expiresAt = expiresAt
        self.interval = interval
    }

    /// What a poll gets.
    mutating func poll(now: Int, monotonic: Double) throws(OAuthError) -> Grant {
        // Half a second of tolerance: the network takes its time between the two clocks.
        let isEarly = lastPoll.map { monotonic - $0 < Double(interval) - 0.5 } ?? false
        lastPoll = monotonic
        if now >= expiresAt { throw OAuthError("expired_token", "the device code has expired") }
        switch answer {
        case .allowed(let grant): return grant
        case .denied: throw OAuthError("access_denied", "the person denied the device")
        case .pending:
            if isEarly {
                interval += 5
                throw OAuthError("slow_down", "polled before \(interval - 5) seconds had passed")
            }
            throw OAuthError("authorization_pending", "nobody has typed the code yet")
        }
    }
}
