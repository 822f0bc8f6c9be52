import CGLib

/// A client of the Secret Service (freedesktop.org Secret Service API), blocking to its caller, every call with a limit.
///
/// Methods go over GDBus, so that each step and each prompt has a limit of its own; libsecret makes the session and
/// encrypts and decrypts what crosses it. The bus is opened by the first call, the session by the first that moves a
/// secret, or is made for one: a search that only looks pays for none.
package final class SecretServiceClient {
    /// In seconds.
    package struct Limits: Sendable {
        /// For an answer of the service.
        package var call: Double
        /// For a person in front of a prompt.
        package var prompt: Double

        package static let standard = Limits(call: 5, prompt: 120)

        package init(call: Double, prompt: Double) {
            self.call = call
            self.prompt = prompt
        }
    }

    static let busName = "org.freedesktop.secrets"
    static let servicePath = "/org/freedesktop/secrets"
    static let serviceInterface = "org.freedesktop.Secret.Service"
    static let collectionInterface = "org.freedesktop.Secret.Collection"
    static let itemInterface = "org.freedesktop.Secret.Item"

    let limits: Limits
    /// How secrets are read. What is written is always encrypted.
    let reading: BusSession
    /// May a prompt be opened? Asked only when one is needed; unlocking that needs none is tried in any case.
    let allowsPrompts: () -> Bool
    let wait = LimitedWait()
    private var openedConnection: OpaquePointer?
    var openedService: OpenedService?
    var plainSession: PlainSession?
    /// The unique name on the bus of whoever answers for the service.
    private(set) var owner: String?
    /// Set once a limit has passed or the service has vanished: nobody waits for a dead daemon a second time.
    private var lastWord: KeyringError?
    /// Set once a prompt was dismissed, or could not be shown.
    private(set) var wasDismissed = false

    package init(limits: Limits = .standard, reading: BusSession = .encrypted, allowsPrompts: @escaping () -> Bool) {
        self.limits = limits
        self.reading = reading
        self.allowsPrompts = allowsPrompts
    }

    /// Spares a process that is about to end the leave-taking: GDBus would wake its thread three times for what the bus
    /// notices by itself.
    package func keepToTheEnd() {
        Self.kept = self
    }

    // nonisolated(unsafe): kept and never looked at.
    nonisolated(unsafe) private static var kept: SecretServiceClient?

    deinit {
        // After an abandoned call the objects are left as they are: it may still use them.
        guard lastWord == nil else { return }
        if let openedService { g_object_unref(openedService.pointer) }
        if let openedConnection { g_object_unref(UnsafeMutableRawPointer(openedConnection)) }
    }

    /// The connection to the bus, made at the first use.
    func connection() throws(KeyringError) -> OpaquePointer {
        if let openedConnection { return openedConnection }
        if let lastWord { throw lastWord }
        let connection = try connect(to: try SessionBus.locate())
        openedConnection = connection
        return connection
    }

    private func connect(to address: String) throws(KeyringError) -> OpaquePointer {
        do throws(KeyringError) {
            if let connection = try SessionBus.connect(to: address, within: limits.call) { return connection }
        } catch {
            if case .timedOut = error { throw giveUp(error) }
            throw error
        }
        // No socket of this machine, or a bus that wants another proof of who we are.
        let start = LimitedWait.Start {
            g_dbus_connection_new_for_address(address, SessionBus.asClient(authenticating: true), nil, $0, $1, $2)
        }
        let result = try finish(seconds: limits.call, start)
        defer { g_object_unref(UnsafeMutableRawPointer(result)) }
        var failure: UnsafeMutablePointer<GError>?
        guard let connection = g_dbus_connection_new_for_address_finish(result, &failure) else {
            throw .busUnreachable(address: address, reason: Self.take(&failure).text)
        }
        return connection
    }

    /// Notes who has answered. Sessions and prompts of the one before are nothing to another: libsecret would wait for ever
    /// for a prompt that it asked of a process that has gone.
    private func note(owner sender: String?) {
        if owner != nil, owner != sender { forgetSessions() }
        owner = sender
    }

    /// Forgets the sessions, which the daemon does not know: it is another one than that which opened them.
    private func forgetSessions() {
        forgetService()
        (plainSession, owner) = (nil, nil)
    }

    /// Notes that a person has said no.
    func dismissed() -> KeyringError {
        wasDismissed = true
        return .promptDismissed
    }

    /// Calls a method of the service and waits for its answer.
    ///
    /// - Parameters:
    ///   - parameters: a floating tuple, which the call takes over.
    ///   - reply: the type of the answer.
    ///   - destination: whom on the bus.
    /// - Returns: the answer's tuple; nil when the object does not exist (any more).
    func call(
        _ path: String, _ interface: String, _ method: String, _ parameters: OpaquePointer?, reply: String,
        to destination: String = busName
    ) throws(KeyringError) -> Variant? {
        switch try answer(MethodCall(path, interface, method, parameters, reply: reply, to: destination)) {
        case .success(let answer): return answer
        case .failure(let reported):
            if reported.meansNoObject { return nil }
            throw Self.keyringError(from: reported)
        }
    }

    /// The same, for a method that moves a secret. A daemon that was started anew meanwhile does not know our session:
    /// then another is opened, once.
    ///
    /// - Parameter parameters: makes the tuple for the open session.
    func callInSession(
        _ path: String, _ interface: String, _ method: String, reply: String,
        _ parameters: () throws(KeyringError) -> OpaquePointer?
    ) throws(KeyringError) -> Variant? {
        var mayReopen = true
        while true {
            switch try answer(MethodCall(path, interface, method, try parameters(), reply: reply)) {
            case .success(let answer): return answer
            case .failure(let reported):
                if reported.meansNoObject { return nil }
                guard mayReopen, reported.meansNoSession else { throw Self.keyringError(from: reported) }
                mayReopen = false
                forgetSessions()
            }
        }
    }

    /// The answer to a call, or the error as it was reported.
    ///
    /// - Throws: only what keeps the call from being answered at all: no bus, a limit passed.
    func answer(_ call: MethodCall) throws(KeyringError) -> MethodCall.Answer {
        let connection = try connection()
        return read(try finish(seconds: limits.call, call.start(on: connection)), of: call, on: connection)
    }

    /// - Parameter result: what the call ended with; taken over.
    func read(_ result: OpaquePointer, of call: MethodCall, on connection: OpaquePointer) -> MethodCall.Answer {
        let (answer, sender) = call.finish(result, on: connection)
        guard case .success(let body) = answer else { return answer }
        if call.destination == Self.busName { note(owner: sender) }
        guard body.type == call.reply else {
            return .failure(ReportedError(text: "\(call.method) was answered with \(body.type)"))
        }
        return answer
    }

    /// Starts an asynchronous call and waits for its result, within `seconds`.
    func finish(seconds: Double, _ start: LimitedWait.Start) throws(KeyringError) -> OpaquePointer {
        try finish(seconds: seconds, [start])[0]
    }

    /// Starts asynchronous calls and waits for the results of all, within `seconds`.
    ///
    /// - Parameter interruption: looked at after every event; a reason ends the wait at once.
    func finish(
        seconds: Double, whilePrompting: Bool = false, interruption: () -> KeyringError? = { nil },
        _ starts: [LimitedWait.Start]
    ) throws(KeyringError) -> [OpaquePointer] {
        if let lastWord { throw lastWord }
        // Of a prompt's limit a part may have gone by already.
        let limit = KeyringError.timedOut(
            seconds: whilePrompting ? limits.prompt : seconds, whilePrompting: whilePrompting)
        let started = g_get_monotonic_time()
        switch wait.run(
            seconds: seconds, cancels: !whilePrompting, interruption: { interruption() != nil }, starts)
        {
        case .finished(let results):
            // A call that ended because it was cancelled has passed its limit all the same.
            if Double(g_get_monotonic_time() - started) / 1e6 < seconds { return results }
            for result in results { g_object_unref(UnsafeMutableRawPointer(result)) }
            throw giveUp(limit)
        case .abandoned: throw giveUp(limit)
        case .interrupted: throw giveUp(interruption() ?? .serviceVanished)
        }
    }

    func giveUp(_ reason: KeyringError) -> KeyringError {
        lastWord = reason
        return reason
    }
}

/// How secrets cross the session bus.
package enum BusSession: Sendable, Equatable {
    /// By libsecret: Diffie-Hellman, then AES.
    case encrypted
    /// As they are, where the service offers that; else encrypted.
    case plain
}
