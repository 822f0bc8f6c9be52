import CGLib
import CSecret
import Sensitive

/// A client of the Secret Service (freedesktop.org Secret Service API), blocking to its caller, every call with a limit.
///
/// Methods go over GDBus, so that each step and each prompt has a limit of its own; libsecret makes the session and
/// encrypts and decrypts what crosses it. The bus is opened by the first call, the session by the first that moves a
/// secret: a search that finds nothing pays for neither session nor proxy.
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
    /// May a prompt be opened? Asked only when one is needed; unlocking that needs none is tried in any case.
    let allowsPrompts: () -> Bool
    let wait = LimitedWait()
    private var openedConnection: OpaquePointer?
    private var openedService: UnsafeMutablePointer<SecretService>?
    /// Set once a limit has passed or the service has vanished: nobody waits for a dead daemon a second time.
    private var lastWord: KeyringError?
    /// Set once a prompt was dismissed, or could not be shown.
    private(set) var wasDismissed = false

    package init(limits: Limits = .standard, allowsPrompts: @escaping () -> Bool) {
        self.limits = limits
        self.allowsPrompts = allowsPrompts
    }

    deinit {
        // After an abandoned call the objects are left as they are: it may still use them.
        guard lastWord == nil else { return }
        if let openedService { g_object_unref(openedService) }
        if let openedConnection { g_object_unref(UnsafeMutableRawPointer(openedConnection)) }
    }

    /// The private connection's bus, opened at the first use.
    func connection() throws(KeyringError) -> OpaquePointer {
        if let openedConnection { return openedConnection }
        let address = try SessionBus.locate()
        let result = try finish(seconds: limits.call) { cancellable, callback, data in
            g_bus_get(G_BUS_TYPE_SESSION, cancellable, callback, data)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(result)) }
        var failure: UnsafeMutablePointer<GError>?
        guard let connection = g_bus_get_finish(result, &failure) else {
            throw .busUnreachable(address: address, reason: Self.take(&failure).text)
        }
        // The default would end the process by SIGTERM when the bus goes away.
        g_dbus_connection_set_exit_on_close(connection, 0)
        openedConnection = connection
        return connection
    }

    /// libsecret's service object with an open session.
    func service() throws(KeyringError) -> UnsafeMutablePointer<SecretService> {
        if let openedService { return openedService }
        let result = try finish(seconds: limits.call) { cancellable, callback, data in
            secret_service_get(SECRET_SERVICE_OPEN_SESSION, cancellable, callback, data)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(result)) }
        var failure: UnsafeMutablePointer<GError>?
        guard let service = secret_service_get_finish(result, &failure) else {
            throw Self.keyringError(from: Self.take(&failure))
        }
        openedService = service
        return service
    }

    /// Forgets the service object, whose session the daemon does not know: it is another one than that which opened it.
    private func forgetService() {
        if let openedService { g_object_unref(openedService) }
        openedService = nil
        // libsecret keeps one of its own for the next who asks.
        secret_service_disconnect()
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
        let type = g_variant_type_new(reply)
        defer { g_variant_type_free(type) }
        // GDBus's own time-out (25 s) lies behind our limit.
        let result = try finish(seconds: limits.call) { cancellable, callback, data in
            g_dbus_connection_call(
                connection, destination, path, interface, method, parameters, type, G_DBUS_CALL_FLAGS_NONE, -1,
                cancellable, callback, data)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(result)) }
        var failure: UnsafeMutablePointer<GError>?
        if let answer = g_dbus_connection_call_finish(connection, result, &failure) {
            return .success(Variant(adopting: answer))
        }
        return .failure(Self.take(&failure))
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
