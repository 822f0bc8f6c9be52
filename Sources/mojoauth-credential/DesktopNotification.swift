import CGLib
import Login
import Program

/// One notification on the desktop, by the Desktop Notifications Specification of freedesktop.org, with one button.
struct DesktopNotification {
    let summary: String
    /// Plain text.
    let body: String
    /// What the button says.
    let action: String

    enum Answer: Equatable {
        /// The button was pressed.
        case accepted
        /// Closed, or not looked at in time, or shown by a desktop without buttons.
        case ignored
        case unavailable(reason: String)
    }

    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    /// Milliseconds for one call; a desktop answers at once.
    private static let callLimit: gint = 5000

    /// Shows it and waits for the button, for so many seconds.
    func show(within seconds: Double) -> Answer {
        var failure: UnsafeMutablePointer<GError>?
        guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, &failure) else {
            return .unavailable(reason: Self.take(&failure))
        }
        defer { g_object_unref(UnsafeMutableRawPointer(bus)) }
        let loop = EventLoop()
        let news = News()
        return withExtendedLifetime(news) {
            // Before it is shown: a click may come before the call returns.
            let subscription = loop.perform {
                g_dbus_connection_signal_subscribe(
                    bus, Self.name, Self.name, nil, Self.path, nil, G_DBUS_SIGNAL_FLAGS_NONE, newsArrived,
                    Unmanaged.passUnretained(news).toOpaque(), nil)
            }
            defer { g_dbus_connection_signal_unsubscribe(bus, subscription) }
            let hasButtons: Bool
            switch call(bus, "GetCapabilities", nil, "(as)") {
            case .failure(let fault): return .unavailable(reason: fault.reason)
            case .success(let answer):
                hasButtons = Self.strings(answer).contains("actions")
                g_variant_unref(answer)
            }
            switch call(bus, "Notify", arguments(hasButtons), "(u)") {
            case .failure(let fault): return .unavailable(reason: fault.reason)
            case .success(let answer):
                news.identifier = Self.number(answer)
                g_variant_unref(answer)
            }
            guard hasButtons else { return .ignored }
            var isLate = false
            let limit = loop.timer(after: seconds) { isLate = true }
            loop.run { isLate || news.answer != nil }
            limit.cancel()
            return news.answer ?? .ignored
        }
    }

    private struct Fault: Error {
        var reason: String
    }

    /// - Parameter arguments: floating; consumed.
    private func call(
        _ bus: OpaquePointer, _ method: String, _ arguments: OpaquePointer?, _ type: String
    ) -> Result<OpaquePointer, Fault> {
        let answerType = g_variant_type_new(type)
        defer { g_variant_type_free(answerType) }
        var failure: UnsafeMutablePointer<GError>?
        let answer = g_dbus_connection_call_sync(
            bus, Self.name, Self.path, Self.name, method, arguments, answerType, G_DBUS_CALL_FLAGS_NONE,
            Self.callLimit, nil, &failure)
        guard let answer else { return .failure(Fault(reason: Self.take(&failure))) }
        return .success(answer)
    }

    /// The arguments of Notify: application, id to replace, icon, summary, body, actions, hints, time-out.
    private func arguments(_ hasButtons: Bool) -> OpaquePointer? {
        let hints = g_variant_parse(nil, "{'urgency': <byte 1>, 'category': <'network'>}", nil, nil, nil)
        defer { if let hints { g_variant_unref(hints) } }
        let words = hasButtons ? [Self.actionKey, action] : []
        var actions: [OpaquePointer?] = words.map { g_variant_new_string($0) }
        let stringType = g_variant_type_new("s")
        defer { g_variant_type_free(stringType) }
        var members: [OpaquePointer?] = [
            g_variant_new_string("mojoauth-credential"), g_variant_new_uint32(0),
            g_variant_new_string("dialog-password"), g_variant_new_string(summary),
            g_variant_new_string(Self.escape(body)), g_variant_new_array(stringType, &actions, gsize(actions.count)),
            hints, g_variant_new_int32(-1),
        ]
        return g_variant_new_tuple(&members, gsize(members.count))
    }

    fileprivate static let actionKey = "sign-in"

    /// Desktops take a few tags in the body for markup.
    private static func escape(_ text: String) -> String {
        DisplayText.clean(text).reduce(into: "") { out, character in
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            default: out.append(character)
            }
        }
    }

    private static func take(_ failure: inout UnsafeMutablePointer<GError>?) -> String {
        guard let error = failure else { return "no reason given" }
        g_dbus_error_strip_remote_error(error)
        let text = String(cString: error.pointee.message)
        g_clear_error(&failure)
        return text
    }

    private static func number(_ tuple: OpaquePointer) -> UInt32 {
        guard let child = g_variant_get_child_value(tuple, 0) else { return 0 }
        defer { g_variant_unref(child) }
        return g_variant_get_uint32(child)
    }

    private static func strings(_ tuple: OpaquePointer) -> [String] {
        guard let list = g_variant_get_child_value(tuple, 0) else { return [] }
        defer { g_variant_unref(list) }
        return (0..<g_variant_n_children(list)).compactMap { index in
            guard let child = g_variant_get_child_value(list, index) else { return nil }
            defer { g_variant_unref(child) }
            return g_variant_get_string(child, nil).map { String(cString: $0) }
        }
    }
}

/// What the desktop told of notifications; a person's other programs have some, too.
private final class News {
    /// Ours, once the desktop has numbered it.
    var identifier: UInt32?
    private var accepted: Set<UInt32> = []
    private var closed: Set<UInt32> = []

    var answer: DesktopNotification.Answer? {
        guard let identifier else { return nil }
        if accepted.contains(identifier) { return .accepted }
        return closed.contains(identifier) ? .ignored : nil
    }

    func take(_ signal: String, _ identifier: UInt32, _ word: String?) {
        switch signal {
        case "ActionInvoked" where word == DesktopNotification.actionKey: accepted.insert(identifier)
        case "NotificationClosed": closed.insert(identifier)
        default: break
        }
    }
}

private let newsArrived: GDBusSignalCallback = { _, _, _, _, signal, parameters, data in
    guard let signal, let parameters, let data, g_variant_n_children(parameters) == 2,
        let first = g_variant_get_child_value(parameters, 0), let second = g_variant_get_child_value(parameters, 1)
    else { return }
    defer {
        g_variant_unref(first)
        g_variant_unref(second)
    }
    guard String(cString: g_variant_get_type_string(first)) == "u" else { return }
    let isText = String(cString: g_variant_get_type_string(second)) == "s"
    let word = isText ? g_variant_get_string(second, nil).map { String(cString: $0) } : nil
    Unmanaged<News>.fromOpaque(data).takeUnretainedValue()
        .take(String(cString: signal), g_variant_get_uint32(first), word)
}
