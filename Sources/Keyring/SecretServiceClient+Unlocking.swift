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

    /// Unlocks the default collection if it may hide items: KeePassXC has none to show while its database is locked,
    /// where gnome-keyring lists locked ones.
    ///
    /// - Returns: whether it was unlocked, so that it is worth while to search again.
    package func unlockWhatHidesItems() throws(KeyringError) -> Bool {
        guard let path = try defaultCollection(),
            try property("Locked", of: path, Self.collectionInterface)?.bool == true,
            try property("Items", of: path, Self.collectionInterface)?.count == 0
        else { return false }
        try unlock([path])
        return true
    }

    /// Unlocks items or collections; some need no prompt (a blank password), so it is tried before one is refused.
    func unlock(_ paths: [String]) throws(KeyringError) {
        let started = g_get_monotonic_time()
        // Who may not ask waits for nobody who does.
        let turn = allowsPrompts() ? try promptTurn() : nil
        defer { withExtendedLifetime(turn) {} }
        let left = limits.prompt - Double(g_get_monotonic_time() - started) / 1e6
        guard
            let answer = try call(
                Self.servicePath, Self.serviceInterface, "Unlock", NewVariant.tuple(NewVariant.paths(paths)),
                reply: "(aoo)")
        else { throw .noService(reason: "\(Self.busName) has no \(Self.servicePath)") }
        // A prompter that cannot show itself is no dismissal to gnome-keyring: it completes with nothing unlocked.
        if let unlocked = try prompt(answer.child(1).string, within: left), unlocked.type == "ao", unlocked.count == 0 {
            throw dismissed()
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
        let turn = try promptTurn()
        defer { withExtendedLifetime(turn) {} }
        // Whoever had the turn before may have made it.
        if let path = try defaultCollection() { return path }
        let properties = NewVariant.properties([Self.collectionInterface + ".Label": NewVariant.string("Login")])
        let parameters = NewVariant.tuple(properties, NewVariant.string("default"))
        guard
            let answer = try call(
                Self.servicePath, Self.serviceInterface, "CreateCollection", parameters, reply: "(oo)")
        else { throw .noDefaultCollection }
        let path = answer.child(0).string
        guard path == "/" else { return path }
        do throws(KeyringError) {
            guard let made = try prompt(answer.child(1).string), made.type == "o" else { throw .noDefaultCollection }
            return made.string
        } catch {
            throw error == .promptDismissed ? .noDefaultCollection : error
        }
    }

    /// Goes through a prompt that a method asked for; `/` means that none is needed.
    ///
    /// - Parameter seconds: what is left of the limit for a person.
    /// - Returns: the prompt's result; nil when there was no prompt.
    /// - Throws: `locked` when prompts are not allowed, `promptDismissed` when nobody answered it with yes. Whoever has
    ///   dismissed one is not asked again by the same client.
    func prompt(_ path: String, within seconds: Double? = nil) throws(KeyringError) -> Variant? {
        guard path != "/" else { return nil }
        // Not shown, it ends with us. Dismissed, it would make gnome-keyring 42 abort if another's is open.
        guard allowsPrompts(), !wasDismissed else { throw wasDismissed ? .promptDismissed : .locked }
        let service = try serviceOfOwner()
        let watch = try PromptWatch(connection: connection(), context: wait.context)
        defer { withExtendedLifetime(watch) {} }
        let result = try finish(
            seconds: max(seconds ?? limits.prompt, 0.1), whilePrompting: true, interruption: { watch.verdict },
            [LimitedWait.Start { secret_service_prompt_at_dbus_path(service, path, nil, $0, $1, $2) }])[0]
        defer { g_object_unref(UnsafeMutableRawPointer(result)) }
        var failure: UnsafeMutablePointer<GError>?
        let value = secret_service_prompt_at_dbus_path_finish(service, result, &failure)
        if failure != nil { throw Self.keyringError(from: Self.take(&failure)) }
        // No error and no value: dismissed, or no prompter could show it.
        guard let value else { throw dismissed() }
        return Variant(adopting: value)
    }
}
