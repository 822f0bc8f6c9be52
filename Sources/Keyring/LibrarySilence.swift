import CGLib

/// Keeps what GLib and libsecret say of a service or a bus that goes away meanwhile from the terminal, for as long as it
/// lives: the person hears it from us.
final class LibrarySilence {
    private let former: GLogFunc?

    init() {
        former = g_log_set_default_handler({ _, _, _, _ in }, nil)
    }

    deinit {
        g_log_set_default_handler(former, nil)
    }
}
