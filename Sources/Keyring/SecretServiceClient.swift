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
    private var openedConnection: OpaquePointer?
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

    deinit {
        // After an abandoned call the objects are left as they are: it may still use them.
        guard lastWord == nil else { return }
        if let openedService { g_object_unref(openedService) }
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
        let result = try finish(seconds: limits.call) { cancellable, callback, data in
            g_dbus_connection_new_for_address(
                address, SessionBus.asClient(authenticating: true), nil, cancellable, callback, data)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(result)) }
        var failure: UnsafeMutablePointer<GError>?
        guard let connection = g_dbus_connection_new_for_address_finish(result, &failure) else {
            throw .busUnreachable(address: address, reason: Self.take(&failure).text)
        }
        return connection
    }

    /// libsecret's service object with an open session.
    ///
    /// It is made for the process that has answered before, and without properties: `secret_service_get` makes seven more
    /// calls to the bus and the service, whose answers nobody here needs.
    func service() throws(KeyringError) -> UnsafeMutablePointer<SecretService> {
        if let openedService { return openedService }
        let (connection, owner) = (try connection(), owner ?? Self.busName)
        let result = try finish(seconds: limits.call) { cancellable, callback, data in
            mojoauth_secret_service_open(connection, owner, cancellable, callback, data)
        }
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
        let parameters = NewVariant.tuple(
            NewVariant.string("plain"), g_variant_new_variant(NewVariant.string("")))
        switch try answer(Self.servicePath, Self.serviceInterface, "OpenSession", parameters, reply: "(vo)") {
        case .success(let answer): plainSession = PlainSession(path: answer.child(1).string)
        case .failure(let reported):
            guard reported.remoteName == "org.freedesktop.DBus.Error.NotSupported" else {
                throw Self.keyringError(from: reported)
            }
            plainSession = PlainSession(path: nil)
        }
        return plainSession?.path
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
        switch try answer(path, interface, method, parameters, reply: reply, to: destination) {
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
            switch try answer(path, interface, method, try parameters(), reply: reply) {
            case .success(let answer): return answer
            case .failure(let reported):
                if reported.meansNoObject { return nil }
                guard mayReopen, reported.meansNoSession else { throw Self.keyringError(from: reported) }
                mayReopen = false
                forgetService()
            }
        }
    }

    /// The same as ``call(_:_:_:_:reply:to:)``, with the error as it was reported.
    ///
    /// - Throws: only what keeps the call from being answered at all: no bus, a limit passed.
    func answer(
        _ path: String, _ interface: String, _ method: String, _ parameters: OpaquePointer?, reply: String,
        to destination: String = busName
    ) throws(KeyringError) -> Result<Variant, ReportedError> {
        let connection = try connection()
        let message = g_dbus_message_new_method_call(destination, path, interface, method)
        defer { g_object_unref(message.map { UnsafeMutableRawPointer($0) }) }
        if let parameters { g_dbus_message_set_body(message, parameters) }
        // GDBus's own time-out (25 s) lies behind our limit.
        let result = try finish(seconds: limits.call) { cancellable, callback, data in
            g_dbus_connection_send_message_with_reply(
                connection, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, -1, nil, cancellable, callback, data)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(result)) }
        var failure: UnsafeMutablePointer<GError>?
        guard let answer = g_dbus_connection_send_message_with_reply_finish(connection, result, &failure) else {
            return .failure(Self.take(&failure))
        }
        defer { g_object_unref(UnsafeMutableRawPointer(answer)) }
        if g_dbus_message_to_gerror(answer, &failure) != 0 { return .failure(Self.take(&failure)) }
        if destination == Self.busName { note(owner: g_dbus_message_get_sender(answer).map { String(cString: $0) }) }
        let body = Variant(adopting: g_variant_ref_sink(g_dbus_message_get_body(answer) ?? NewVariant.tuple()))
        guard body.type == reply else { throw .refused(reason: "\(method) was answered with \(body.type)") }
        return .success(body)
    }

    /// Starts an asynchronous call and waits for its result, within `seconds`.
    ///
    /// - Parameter interruption: looked at after every event; a reason ends the wait at once.
    func finish(
        seconds: Double, whilePrompting: Bool = false, interruption: () -> KeyringError? = { nil },
        _ start: LimitedWait.Start
    ) throws(KeyringError) -> OpaquePointer {
        if let lastWord { throw lastWord }
        // Of a prompt's limit a part may have gone by already.
        let limit = KeyringError.timedOut(
            seconds: whilePrompting ? limits.prompt : seconds, whilePrompting: whilePrompting)
        let started = g_get_monotonic_time()
        switch wait.run(
            seconds: seconds, cancels: !whilePrompting, interruption: { interruption() != nil }, start)
        {
        case .finished(let result):
            // A call that ended because it was cancelled has passed its limit all the same.
            if Double(g_get_monotonic_time() - started) / 1e6 < seconds { return result }
            g_object_unref(UnsafeMutableRawPointer(result))
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

/// A session without encryption, or that the service has refused one.
private struct PlainSession {
    var path: String?
}
