import CGLib
import CSecret
import Sensitive

/// A client of the Secret Service (freedesktop.org Secret Service API), blocking to its caller, every call with a limit.
///
/// Methods go over GDBus, so that each step and each prompt has a limit of its own; libsecret makes the session and
/// encrypts and decrypts what crosses it. The bus is opened by the first call, the session by the first that moves a
/// secret: a search that finds nothing pays for none.
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
    private var openedBus: SessionBus?
    private var openedService: UnsafeMutablePointer<SecretService>?
    private var plainSession: PlainSession?
    /// The unique name on the bus of whoever answers for the service.
    private var owner: String?
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

    nonisolated(unsafe) private static var kept: SecretServiceClient?

    deinit {
        // After an abandoned call the objects are left as they are: it may still use them.
        guard lastWord == nil else { return }
        if let openedService { g_object_unref(openedService) }
        if let openedBus { g_object_unref(UnsafeMutableRawPointer(openedBus.connection)) }
    }

    /// The connection to the bus, made at the first use.
    func connection() throws(KeyringError) -> OpaquePointer { try bus().connection }

    /// The bus, connected to at the first use.
    func bus() throws(KeyringError) -> SessionBus {
        if let openedBus { return openedBus }
        if let lastWord { throw lastWord }
        let bus = try connect(to: try SessionBus.locate())
        openedBus = bus
        return bus
    }

    private func connect(to address: String) throws(KeyringError) -> SessionBus {
        do throws(KeyringError) {
            if let bus = try SessionBus.connect(to: address, within: limits.call) { return bus }
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
        let identifier = g_dbus_connection_get_guid(connection).map { String(cString: $0) }
        return SessionBus(connection: connection, identifier: identifier ?? "")
    }

    /// libsecret's service object with an open session.
    ///
    /// It is made for the process that has answered before, and without properties: `secret_service_get` makes seven more
    /// calls to the bus and the service, whose answers nobody here needs.
    func service() throws(KeyringError) -> UnsafeMutablePointer<SecretService> {
        if let openedService { return openedService }
        return try keepService(from: finish(seconds: limits.call, serviceOpening()))
    }

    private func serviceOpening() throws(KeyringError) -> LimitedWait.Start {
        let (connection, owner) = (try connection(), owner ?? Self.busName)
        return LimitedWait.Start { mojoauth_secret_service_open(connection, owner, $0, $1, $2) }
    }

    /// - Parameter result: what opening ended with; taken over.
    @discardableResult
    private func keepService(from result: OpaquePointer) throws(KeyringError) -> UnsafeMutablePointer<SecretService> {
        defer { g_object_unref(UnsafeMutableRawPointer(result)) }
        var failure: UnsafeMutablePointer<GError>?
        guard let service = secret_service_open_finish(result, &failure) else {
            throw Self.keyringError(from: Self.take(&failure))
        }
        openedService = service
        return service
    }

    /// Notes who has answered. Sessions and prompts of the one before are nothing to another: libsecret would wait for ever
    /// for a prompt that it asked of a process that has gone.
    private func note(owner sender: String?) {
        if owner != nil, owner != sender { forgetService() }
        owner = sender
    }

    /// Forgets the sessions, which the daemon does not know: it is another one than that which opened them.
    private func forgetService() {
        if let openedService { g_object_unref(openedService) }
        (openedService, plainSession, owner) = (nil, nil, nil)
    }

    /// Notes that a person has said no.
    func dismissed() -> KeyringError {
        wasDismissed = true
        return .promptDismissed
    }

    /// The service's session without encryption; nil where it is not to be used, or the service offers none.
    func openPlainSession() throws(KeyringError) -> String? {
        guard reading == .plain else { return nil }
        if let plainSession { return plainSession.path }
        let opening = Self.plainSessionOpening()
        return try keepPlainSession(from: answer(opening))
    }

    private static func plainSessionOpening() -> MethodCall {
        let parameters = NewVariant.tuple(
            NewVariant.string("plain"), g_variant_new_variant(NewVariant.string("")))
        return MethodCall(servicePath, serviceInterface, "OpenSession", parameters, reply: "(vo)")
    }

    @discardableResult
    private func keepPlainSession(from answer: MethodCall.Answer) throws(KeyringError) -> String? {
        switch answer {
        case .success(let answer): plainSession = PlainSession(path: answer.child(1).string)
        case .failure(let reported):
            guard reported.remoteName == "org.freedesktop.DBus.Error.NotSupported" else {
                throw Self.keyringError(from: reported)
            }
            plainSession = PlainSession(path: nil)
        }
        return plainSession?.path
    }

    /// Calls methods of the service that need no answer of one another, all at once.
    ///
    /// - Parameter purpose: the session that it will need is opened by the way, unless it is open.
    /// - Returns: the answers, in the order of the calls.
    func answers(
        _ calls: [MethodCall], for purpose: SearchPurpose
    ) throws(KeyringError) -> [MethodCall.Answer] {
        let connection = try connection()
        var starts = calls.map { $0.start(on: connection) }
        let plain = purpose == .reading && reading == .plain && plainSession == nil ? Self.plainSessionOpening() : nil
        let opensService = purpose != .looking && openedService == nil && (purpose == .writing || reading == .encrypted)
        if let plain { starts.append(plain.start(on: connection)) }
        if opensService { starts.append(try serviceOpening()) }
        let results = try finish(seconds: limits.call, starts)
        var answers: [MethodCall.Answer] = []
        for (call, result) in zip(calls, results) { answers.append(try read(result, of: call)) }
        // A session that could not be opened by the way is opened, or fails, where it is used.
        if let plain, let result = results.last { _ = try? keepPlainSession(from: read(result, of: plain)) }
        if opensService, let result = results.last { _ = try? keepService(from: result) }
        return answers
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
                forgetService()
            }
        }
    }

    /// The answer to a call, or the error as it was reported.
    ///
    /// - Throws: only what keeps the call from being answered at all: no bus, a limit passed.
    func answer(_ call: MethodCall) throws(KeyringError) -> MethodCall.Answer {
        let connection = try connection()
        return try read(finish(seconds: limits.call, call.start(on: connection)), of: call)
    }

    /// - Parameter result: what the call ended with; taken over.
    private func read(_ result: OpaquePointer, of call: MethodCall) throws(KeyringError) -> MethodCall.Answer {
        let (answer, sender) = call.finish(result, on: try connection())
        guard case .success(let body) = answer else { return answer }
        if call.destination == Self.busName { note(owner: sender) }
        guard body.type == call.reply else {
            throw .refused(reason: "\(call.method) was answered with \(body.type)")
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

/// What a search is for. A secret crosses in a session, and one that will be needed is opened while the service searches.
package enum SearchPurpose: Sendable {
    /// For what is there; secrets perhaps later.
    case looking
    /// For a secret to read.
    case reading
    /// For an item to write a secret to.
    case writing
}

/// A session without encryption, or that the service has refused one.
private struct PlainSession {
    var path: String?
}
