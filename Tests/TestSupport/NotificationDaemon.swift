import Foundation

/// A desktop that shows notifications, as far as a bus can tell: it owns the name, answers the calls, and presses the
/// button or closes the notification as it was told.
package final class NotificationDaemon {
    package enum Person: String, Sendable {
        case presses
        case closes
        /// Presses the button of somebody else's notification, then closes ours.
        case pressesAnothers
    }

    /// What was to be shown.
    package struct Notification: Decodable, Sendable {
        package var summary: String
        package var body: String
        package var actions: [String]
    }

    private let server: Server

    /// - Parameters:
    ///   - world: one that has a bus.
    ///   - hasButtons: some desktops have none.
    package init(in world: World, _ person: Person, hasButtons: Bool = true) throws {
        let script = try world.scratch.write(NotificationDaemon.script, to: "notification-daemon.py")
        server = try world.serve(
            "/usr/bin/python3", ["-u", script, person.rawValue, hasButtons ? "actions" : "body"])
        _ = try server.waitForLine("the notification daemon's name") { $0 == "ready" ? true : nil }
    }

    /// All so far, oldest first.
    package func shown() throws -> [Notification] {
        try server.log.split(separator: "\n").filter { $0.hasPrefix("{") }
            .map { try JSONDecoder().decode(Notification.self, from: Data($0.utf8)) }
    }

    /// The first, which a process that nobody waits for may be about to show.
    package func waitForOne() throws -> Notification {
        try server.waitForLine("a notification") { line in
            line.hasPrefix("{") ? try? JSONDecoder().decode(Notification.self, from: Data(line.utf8)) : nil
        }
    }

    private static let script = """
        import json, sys
        from gi.repository import Gio, GLib
        person, capability = sys.argv[1:]
        NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
        node = Gio.DBusNodeInfo.new_for_xml(\"""<node><interface name='org.freedesktop.Notifications'>
          <method name='GetCapabilities'><arg type='as' direction='out'/></method>
          <method name='Notify'><arg type='s' direction='in'/><arg type='u' direction='in'/>
            <arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='s' direction='in'/>
            <arg type='as' direction='in'/><arg type='a{sv}' direction='in'/><arg type='i' direction='in'/>
            <arg type='u' direction='out'/></method></interface></node>\""")
        def tell(bus, signal, kind, *values):
            bus.emit_signal(None, PATH, NAME, signal, GLib.Variant(kind, values))
        def called(bus, sender, path, interface, method, arguments, invocation):
            if method == "GetCapabilities":
                return invocation.return_value(GLib.Variant("(as)", (["body", capability],)))
            app, replaces, icon, summary, body, actions, hints, limit = arguments.unpack()
            print(json.dumps({"summary": summary, "body": body, "actions": actions}))
            if person == "presses": tell(bus, "ActionInvoked", "(us)", 7, actions[0] if actions else "")
            if person == "pressesAnothers": tell(bus, "ActionInvoked", "(us)", 8, "sign-in")
            invocation.return_value(GLib.Variant("(u)", (7,)))
            if person != "presses": tell(bus, "NotificationClosed", "(uu)", 7, 2)
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        bus.register_object(PATH, node.interfaces[0], called, None, None)
        Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready"), None)
        GLib.MainLoop().run()

        """
}
