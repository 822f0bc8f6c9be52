import CGLib

/// Notices, while a prompt is open, that its answer cannot come any more: the service left the bus or stopped, or the
/// bus itself is gone. libsecret would wait for ever, and a limit for a person is far too long for a dead daemon.
final class PromptWatch {
    /// How often the service is asked for a sign of life, in milliseconds.
    private static let interval: UInt32 = 1000

    // Before anything is asked of the bus, which may be gone.
    private let silence = LibrarySilence()
    private let context: OpaquePointer
    private let pulse: Pulse
    private var subscription: guint = 0
    private var timer: UnsafeMutablePointer<GSource>?

    /// What has happened; nil as long as an answer may come.
    var verdict: KeyringError? { pulse.verdict }

    /// Is a sign of life still due?
    var isAwaitingLife: Bool { pulse.isAsking }

    init(connection: OpaquePointer, context: OpaquePointer) {
        self.context = context
        pulse = Pulse(connection)
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        subscription = g_dbus_connection_signal_subscribe(
            connection, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", "/org/freedesktop/DBus",
            SecretServiceClient.busName, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, parameters, data in
                guard let parameters, let data else { return }
                // (name, old owner, new owner)
                let owner = Variant(adopting: g_variant_get_child_value(parameters, 2)).string
                if owner.isEmpty { Unmanaged<Pulse>.fromOpaque(data).takeUnretainedValue().verdict = .serviceVanished }
            }, Unmanaged.passUnretained(pulse).toOpaque(), nil)
        timer = g_timeout_source_new(Self.interval)
        g_source_set_callback(
            timer,
            { data in
                if let data { Unmanaged<Pulse>.fromOpaque(data).takeUnretainedValue().feel() }
                return 1
            }, Unmanaged.passUnretained(pulse).toOpaque(), nil)
        g_source_attach(timer, context)
    }

    deinit {
        g_source_destroy(timer)
        g_source_unref(timer)
        g_dbus_connection_signal_unsubscribe(pulse.connection, subscription)
    }
}

/// What is known of the service's life. A ping that is still under way keeps it.
private final class Pulse {
    /// How long a sign of life may take, in milliseconds: with the pause before it the limit of any call.
    private static let patience: CInt = 4000

    let connection: OpaquePointer
    var verdict: KeyringError?
    private(set) var isAsking = false

    init(_ connection: OpaquePointer) {
        self.connection = connection
    }

    /// Asks for a sign of life, unless the last one is still awaited. D-Bus libraries answer this by themselves, also for
    /// a service that shows a dialog; and nobody is started for it.
    func feel() {
        guard !isAsking else { return }
        isAsking = true
        g_dbus_connection_call(
            connection, SecretServiceClient.busName, SecretServiceClient.servicePath, "org.freedesktop.DBus.Peer",
            "Ping", nil, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, Self.patience, nil,
            { source, result, data in
                guard let source, let result, let data else { return }
                let pulse = Unmanaged<Pulse>.fromOpaque(data).takeRetainedValue()
                pulse.isAsking = false
                var failure: UnsafeMutablePointer<GError>?
                if let answer = g_dbus_connection_call_finish(OpaquePointer(source), result, &failure) {
                    g_variant_unref(answer)
                } else if let verdict = SecretServiceClient.take(&failure).verdictOnLife {
                    pulse.verdict = pulse.verdict ?? verdict
                }
            }, Unmanaged.passRetained(self).toOpaque())
    }
}

extension ReportedError {
    /// What an unanswered ping tells; nil for an answer, be it a refusal.
    fileprivate var verdictOnLife: KeyringError? {
        let silence = KeyringError.timedOut(seconds: 5, whilePrompting: false)
        guard let remoteName else {
            return domain == g_io_error_quark() && code == CInt(G_IO_ERROR_TIMED_OUT.rawValue)
                ? silence : .serviceVanished
        }
        switch remoteName.split(separator: ".").last {
        case "ServiceUnknown", "NameHasNoOwner", "NoReply", "Disconnected": return .serviceVanished
        case "Timeout", "TimedOut": return silence
        default: return nil
        }
    }
}
