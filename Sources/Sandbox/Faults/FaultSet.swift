import JSON

/// The faults that are on, and the hooks by which the issuer lets them strike.
struct FaultSet {
    private struct Active {
        var fault: Fault
        var setting: FaultSetting
        /// Requests to the fault's endpoint since it was turned on.
        var seen = 0
        var struck = 0

        var isDue: Bool { setting.occasion.map { $0 == seen } ?? true }
    }

    private var active: [Active] = []
    /// Names of those that struck in the present request, for the log.
    private(set) var struckNow: [String] = []
    private let issuer: String
    private var isRefresh = false

    init(issuer: String, settings: [FaultSetting]) {
        self.issuer = issuer
        for setting in settings { turnOn(setting) }
    }

    var settings: [FaultSetting] { active.map(\.setting) }

    mutating func turnOn(_ setting: FaultSetting) {
        guard let fault = Fault.find(setting.name) else { return }
        turnOff(setting.name)
        active.append(Active(fault: fault, setting: setting))
    }

    mutating func turnOff(_ name: String) {
        active.removeAll { $0.fault.name == name }
    }

    /// Called once at the start of a request to an endpoint.
    mutating func begin(_ endpoint: Endpoint, isRefresh: Bool = false) {
        struckNow = []
        self.isRefresh = isRefresh
        for index in active.indices where active[index].fault.effect.endpoint == endpoint { active[index].seen += 1 }
    }

    /// Called for requests at which nothing can strike.
    mutating func rest() {
        struckNow = []
    }

    /// Lets every fault that is due and of the wanted kind strike, in the order in which they were turned on.
    private mutating func strike(_ body: (FaultEffect, FaultStrike) -> Bool) {
        for index in active.indices where active[index].isDue {
            let strike = FaultStrike(
                value: active[index].setting.value, count: active[index].struck + 1, issuer: issuer,
                isRefresh: isRefresh)
            guard body(active[index].fault.effect, strike) else { continue }
            active[index].struck += 1
            if !struckNow.contains(active[index].fault.name) { struckNow.append(active[index].fault.name) }
        }
    }

    /// An answer in place of the endpoint's own.
    mutating func instead(of endpoint: Endpoint) -> HTTPResponse? {
        var response: HTTPResponse?
        strike { effect, strike in
            guard response == nil, case .instead(endpoint, let make) = effect else { return false }
            response = make(strike)
            return true
        }
        return response
    }

    mutating func spoil(_ response: inout HTTPResponse, of endpoint: Endpoint) {
        strike { effect, strike in
            guard case .answer(endpoint, let change) = effect else { return false }
            change(&response, strike)
            return true
        }
    }

    mutating func change(_ members: inout JSONObject, of endpoint: Endpoint) {
        strike { effect, strike in
            guard case .members(endpoint, let change) = effect else { return false }
            change(&members, strike)
            return true
        }
    }

    /// Why an authorization request is refused, if it is.
    mutating func refusal() -> OAuthError? {
        var error: OAuthError?
        strike { effect, _ in
            guard error == nil, case .refusal(let found) = effect else { return false }
            error = found
            return true
        }
        return error
    }

    mutating func change(_ answer: inout AuthorizationAnswer) {
        strike { effect, strike in
            guard case .redirect(let change) = effect else { return false }
            change(&answer, strike)
            return true
        }
    }

    mutating func change(claims: inout JSONObject) {
        strike { effect, strike in
            guard case .claims(let change) = effect else { return false }
            change(&claims, strike)
            return true
        }
    }

    mutating func change(draft: inout IDTokenDraft) {
        strike { effect, strike in
            guard case .signing(let change) = effect else { return false }
            change(&draft, strike)
            return true
        }
    }

    mutating func refusesGit() -> Bool {
        var refuses = false
        strike { effect, _ in
            guard case .gitRefusal = effect else { return false }
            refuses = true
            return true
        }
        return refuses
    }
}
