import CGLib
import CSecret

extension SecretServiceClient {
    /// Makes sure that a secret can be stored: the collection exists and is unlocked. Nothing is written.
    package func prepareToStore(in collection: Collection = .default) throws(KeyringError) {
        let path = try path(of: collection)
        guard let locked = try property("Locked", of: path, Self.collectionInterface)?.bool else {
            throw .noDefaultCollection
        }
        if locked { try unlock([path]) }
    }

    /// Is the default collection locked? nil when there is none.
    package func isLocked() throws(KeyringError) -> Bool? {
        guard let path = try defaultCollection() else { return nil }
        return try property("Locked", of: path, Self.collectionInterface)?.bool
    }

    /// Unlocks items or collections; some need no prompt (a blank password), so it is tried before one is refused.
    func unlock(_ paths: [String]) throws(KeyringError) {
        guard
            let answer = try call(
                Self.servicePath, Self.serviceInterface, "Unlock", NewVariant.tuple(NewVariant.paths(paths)),
                reply: "(aoo)")
        else { throw .noService(reason: "\(Self.busName) has no \(Self.servicePath)") }
        // A prompter that cannot show itself is no dismissal to gnome-keyring: it completes with nothing unlocked.
        if let unlocked = try prompt(answer.child(1).string), unlocked.type == "ao", unlocked.count == 0 {
            throw .promptDismissed
        }
    }

    /// The object path of a collection that can be stored into; makes a default one if there is none.
    func path(of collection: Collection) throws(KeyringError) -> String {
        switch collection {
        case .session: return Self.servicePath + "/collection/session"
        case .default:
            if let path = try defaultCollection() { return path }
            return try createDefaultCollection()
        }
    }

    /// The object path of the default collection; nil when there is none.
    func defaultCollection() throws(KeyringError) -> String? {
        let answer = try call(
            Self.servicePath, Self.serviceInterface, "ReadAlias", NewVariant.tuple(NewVariant.string("default")),
            reply: "(o)")
        guard let path = answer?.child(0).string, path != "/" else { return nil }
        return path
    }

    /// The person chooses its password in the service's own prompt.
    private func createDefaultCollection() throws(KeyringError) -> String {
        guard allowsPrompts() else { throw .noDefaultCollection }
        let properties = NewVariant.properties([Self.collectionInterface + ".Label": NewVariant.string("Login")])
        let parameters = NewVariant.tuple(properties, NewVariant.string("default"))
        guard
            let answer = try call(
                Self.servicePath, Self.serviceInterface, "CreateCollection", parameters, reply: "(oo)")
        else { throw .noDefaultCollection }
        let path = answer.child(0).string
        guard path == "/" else { return path }
        do throws(KeyringError) {
            guard let made = try prompt(answer.child(1).string) else { throw .noDefaultCollection }
            return made.string
        } catch {
            throw error == .promptDismissed ? .noDefaultCollection : error
        }
    }

    /// Goes through a prompt that a method asked for; `/` means that none is needed.
    ///
    /// - Returns: the prompt's result; nil when there was no prompt.
    /// - Throws: `locked` when prompts are not allowed, `promptDismissed` when nobody answered it with yes.
    func prompt(_ path: String) throws(KeyringError) -> Variant? {
        guard path != "/" else { return nil }
        guard allowsPrompts() else {
            _ = try call(path, "org.freedesktop.Secret.Prompt", "Dismiss", nil, reply: "()")
            throw .locked
        }
        let service = try service()
        let watch = try ServiceWatch(connection: connection(), context: wait.context)
        let result = try finish(
            seconds: limits.prompt, whilePrompting: true, interruption: { watch.hasVanished }
        ) { cancellable, callback, data in
            secret_service_prompt_at_dbus_path(service, path, nil, cancellable, callback, data)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(result)) }
        var failure: UnsafeMutablePointer<GError>?
        let value = secret_service_prompt_at_dbus_path_finish(service, result, &failure)
        if failure != nil { throw Self.keyringError(from: Self.take(&failure)) }
        // No error and no value: dismissed, or no prompter could show it.
        guard let value else { throw .promptDismissed }
        return Variant(adopting: value)
    }
}

/// Notices that the service leaves the bus while a prompt is open, which libsecret would wait out for ever.
private final class ServiceWatch {
    private var subscription: guint = 0
    private let connection: OpaquePointer
    private let context: OpaquePointer
    private(set) var hasVanished = false

    init(connection: OpaquePointer, context: OpaquePointer) {
        self.connection = connection
        self.context = context
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        subscription = g_dbus_connection_signal_subscribe(
            connection, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", "/org/freedesktop/DBus",
            SecretServiceClient.busName, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, parameters, data in
                guard let parameters, let data else { return }
                // (name, old owner, new owner)
                let owner = Variant(adopting: g_variant_get_child_value(parameters, 2)).string
                if owner.isEmpty { Unmanaged<ServiceWatch>.fromOpaque(data).takeUnretainedValue().hasVanished = true }
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    deinit {
        g_dbus_connection_signal_unsubscribe(connection, subscription)
    }
}
