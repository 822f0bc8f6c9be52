import CGLib
import CSecret

/// libsecret's service object with an open session.
struct OpenedService {
    let pointer: UnsafeMutablePointer<SecretService>
    /// What it was made for: a unique name on the bus, or the service's well-known one.
    let name: String
}

/// A session without encryption, or that the service has refused one.
struct PlainSession {
    var path: String?
}

extension SecretServiceClient {
    /// libsecret's service object with an open session.
    ///
    /// It is made for the process that has answered before, if one has, and without properties: `secret_service_get` makes
    /// seven more calls to the bus and the service, whose answers nobody here needs.
    func service() throws(KeyringError) -> UnsafeMutablePointer<SecretService> {
        if let openedService { return openedService.pointer }
        let opening = try serviceOpening()
        return try keep(opening, from: finish(seconds: limits.call, opening.start))
    }

    /// The same, made for whoever has answered and no other: for a prompt libsecret looks for the owner of a well-known
    /// name by a call that has no limit of ours.
    func serviceOfOwner() throws(KeyringError) -> UnsafeMutablePointer<SecretService> {
        if let openedService, openedService.name != owner { forgetService() }
        return try service()
    }

    func forgetService() {
        if let openedService { g_object_unref(openedService.pointer) }
        openedService = nil
    }

    private struct ServiceOpening {
        let name: String
        let start: LimitedWait.Start
    }

    private func serviceOpening() throws(KeyringError) -> ServiceOpening {
        let (connection, name) = (try connection(), owner ?? Self.busName)
        return ServiceOpening(
            name: name, start: LimitedWait.Start { mojoauth_secret_service_open(connection, name, $0, $1, $2) })
    }

    /// - Parameter result: what the opening ended with; taken over.
    @discardableResult
    private func keep(
        _ opening: ServiceOpening, from result: OpaquePointer
    ) throws(KeyringError) -> UnsafeMutablePointer<SecretService> {
        defer { g_object_unref(UnsafeMutableRawPointer(result)) }
        var failure: UnsafeMutablePointer<GError>?
        guard let service = secret_service_open_finish(result, &failure) else {
            throw Self.keyringError(from: Self.take(&failure))
        }
        // Meanwhile another daemon may have answered.
        guard opening.name == Self.busName || opening.name == owner else {
            g_object_unref(service)
            throw .serviceVanished
        }
        openedService = OpenedService(pointer: service, name: opening.name)
        return service
    }

    /// The service's session without encryption; nil where it is not to be used, or the service offers none.
    func openPlainSession() throws(KeyringError) -> String? {
        guard reading == .plain else { return nil }
        if let plainSession { return plainSession.path }
        return try keepPlainSession(from: answer(Self.plainSessionOpening()))
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
    /// A service that answers, and never opens the session, costs the whole limit.
    ///
    /// - Parameter purpose: the session that it will need is opened by the way, unless it is open.
    /// - Returns: the answers, in the order of the calls.
    func answers(_ calls: [MethodCall], for purpose: SearchPurpose) throws(KeyringError) -> [MethodCall.Answer] {
        let connection = try connection()
        var starts = calls.map { $0.start(on: connection) }
        var plain: MethodCall?
        var service: ServiceOpening?
        switch purpose {
        case .looking: break
        case .reading where reading == .plain: plain = plainSession == nil ? Self.plainSessionOpening() : nil
        case .reading, .writing: service = openedService == nil ? try serviceOpening() : nil
        }
        if let plain { starts.append(plain.start(on: connection)) }
        if let service { starts.append(service.start) }
        let results = try finish(seconds: limits.call, starts)
        let answers = zip(calls, results).map { read($1, of: $0, on: connection) }
        // A session that could not be opened by the way is opened, or fails, where it is used.
        if let plain, let result = results.last {
            _ = try? keepPlainSession(from: read(result, of: plain, on: connection))
        }
        if let service, let result = results.last { _ = try? keep(service, from: result) }
        return answers
    }
}
